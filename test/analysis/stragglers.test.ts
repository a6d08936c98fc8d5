import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summarise, summarise as summariseRun } from '../../lib/analysis/summary';
import { renderHtml, renderMarkdown } from '../../lib/report';
import { readWorkload } from '../../lib/run/task/readWorkload';
import type { WorkloadAction } from '../../lib/schema/plan';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';
import { iorCommand } from '../../lib/workload/ior';
import { fioOutput } from '../run/bench';
import { ENDED, workload } from '../support/records';
import { soundRun } from './runs';

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const action = (tool: string, command: readonly string[]): WorkloadAction =>
  workload(tool, { command, ranksPerClient: 3, pattern: 'ior-default' });
const metric = (name: string, { measured }: ReturnType<typeof readWorkload>) =>
  measured.filter((each) => each.metric === name).map(({ value }) => value);

/** The sample with first and last done next to those of each measured phase. */
function ending(record: RunRecord, of: (sample: Sample) => Readonly<Record<string, number>>): RunRecord {
  const samples = record.samples.flatMap((sample) => {
    if (sample.phase !== 'measure' || sample.metric !== 'bytes') return [sample];
    const added = Object.entries(of(sample)).map(([name, value]) => ({ ...sample, metric: name, value, unit: 's' }));
    return [sample, ...added];
  });
  return { ...record, samples };
}

describe('what the driver records of the first and the last one done', () => {
  const fixture = join(__dirname, '../fixtures/tools/ior330_wearout.out');
  const outputFile = join(folder, 'ior.out');
  beforeAll(() => copyFileSync(fixture, outputFile));
  const read = (command: readonly string[]) => readWorkload(action('ior', command), [{ outcome: ENDED, outputFile }]);

  test('of IOR is its total less the time of closing, and its total', () => {
    const result = read(['ior', '-w', '-F']);
    expect(metric('last_done', result)).toEqual([1.15, 1.01]);
    expect(metric('first_done', result)).toEqual([expect.closeTo(1.15 - 0.145146, 5), expect.closeTo(1.005367, 5)]);
  });

  test('of IOR with -g is nothing: all wait before they close', () => {
    expect(metric('first_done', read(['ior', '-w', '-F', '-g']))).toEqual([]);
  });

  test('of IOR’s processes is how much each had moved when the time was up', () => {
    const result = read(['ior', '-w', '-F']);
    expect(metric('least_bytes', result)).toEqual([3249 * 262_144, 563 * 262_144]);
    expect(metric('most_bytes', result)).toEqual([3354 * 262_144, 580 * 262_144]);
  });

  test('of fio is by client, and nothing where there is one', () => {
    const outputs = [2000, 3000].map((ms, index) => {
      const file = join(folder, `client${index}.out`);
      writeFileSync(file, fioOutput('write', ms * 1e6, ms));
      return { outcome: ENDED, outputFile: file };
    });
    const both = readWorkload(action('fio', ['fio']), outputs);
    expect([metric('first_done', both), metric('last_done', both)]).toEqual([[2], [3]]);
    expect([metric('least_bytes', both), metric('most_bytes', both)]).toEqual([[2e9], [3e9]]);
    expect(metric('first_done', readWorkload(action('fio', ['fio']), outputs.slice(0, 1)))).toEqual([]);
  });

  test('can be known of the paired plan, whose IOR does not wait, and writes as much with every process', () => {
    const command = iorCommand(
      { operation: 'write', seconds: 300, maxBytesPerProcess: 2 ** 30, processesPerClient: 4, direct: true },
      { id: 'ior-default', option: null, expectedRatio: 3.6, ratioOn1MiB: 3.9 },
    );
    expect(command).not.toContain('-g');
    // Without it IOR 3.3.0 leaves no status file, and the read ends at the end of the shortest file, with an error.
    expect(command).toContain('stoneWallingWearOut=1');
    expect(command).toContain('stoneWallingStatusFile={dir}/stonewall');
  });
});

describe('stragglers of a run', () => {
  test('are told by arm and operation: how long the first waited, and how much more the fastest did', () => {
    const record = ending(soundRun(), ({ repeat }) => ({
      first_done: 300 - repeat,
      last_done: 300,
      least_bytes: 80,
      most_bytes: 100 + 10 * repeat,
    }));
    const [one] = summarise(record).analysis.stragglers;
    expect(one).toMatchObject({ of: 'processes', reason: null, waited: { median: 2.5, max: 4 }, bytesRatio: 1.75 });
    expect(one?.ratio).toBeCloseTo(300 / 296, 10);
    expect(one?.readings).toHaveLength(4);
  });

  test('of a task with two iterations are two readings: 10 s and 60 s, and never from one to the other', () => {
    const record = soundRun();
    const ends = [
      { first_done: 100, last_done: 110 },
      { first_done: 200, last_done: 260 },
    ];
    const samples = record.samples.flatMap((sample) => {
      if (sample.phase !== 'measure' || sample.metric !== 'bytes') return [sample];
      return ends.flatMap((end, iteration) =>
        Object.entries(end).map(([metric, value]) => ({ ...sample, iteration, metric, value, unit: 's' })),
      );
    });
    const { stragglers } = summarise({ ...record, samples }).analysis;
    expect(stragglers).toHaveLength(8);
    for (const { readings, waited, ratio } of stragglers) {
      expect(readings.map(({ iteration }) => iteration)).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
      expect([waited, ratio]).toEqual([{ median: 35, max: 60 }, 1.3]);
    }
  });

  test('that nobody told are null with a reason', () => {
    const { stragglers, checks } = summarise(soundRun()).analysis;
    for (const { ratio, readings, reason } of stragglers)
      expect([ratio, readings, typeof reason]).toEqual([null, [], 'string']);
    expect(checks.find(({ id }) => id === 'stragglers')).toMatchObject({ state: 'does not apply' });
  });

  test('stand in the report in every form', async () => {
    const record = ending(soundRun(), () => ({ first_done: 290, last_done: 300 }));
    expect(await renderHtml(summariseRun(record))).toContain('<h2 id="stragglers">Stragglers</h2>');
    expect(renderMarkdown(summariseRun(record))).toMatch(
      /\| write \| 1:1 \| none \| processes \| 10 s \| 10 s \| 1\.03 \|/,
    );
    expect(renderMarkdown(summariseRun(soundRun()))).toMatch(/## Stragglers\n\nNot available for write and read: /);
  });
});
