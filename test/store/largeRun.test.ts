import { cpSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listRuns } from '../../lib/analysis/compare/runEntries';
import { readRun } from '../../lib/store/readRun';
import { soundRun } from '../analysis/runs';
import { writeRun } from '../report/writeRun';
import { temporaryFolder } from '../run/bench';

const MIB = 2 ** 20;

test('more samples than an analysis holds are refused by their size, with their file and the way to report a part', async () => {
  const run = writeRun(soundRun(), temporaryFolder());
  truncateSync(join(run, 'samples.jsonl'), 702e6);
  await expect(readRun(run)).rejects.toThrow(
    `the samples '${join(run, 'samples.jsonl')}' have 669 MiB, an analysis reads at most 96 MiB: all of them stay as they are; to report a part, copy the run's folder`,
  );
});

test('the way that the refusal names leads to a report', async () => {
  const record = soundRun({ repeats: 3 });
  const run = writeRun(record, temporaryFolder());
  const part = join(temporaryFolder(), record.run);
  cpSync(run, part, { recursive: true });
  const lines = record.samples.map((sample) => JSON.stringify(sample)).filter((line) => line.includes('"repeat":0'));
  writeFileSync(join(part, 'samples.jsonl'), `${lines.join('\n')}\n`);
  const { samples, problems } = await readRun(part);
  expect(samples).toHaveLength(lines.length);
  expect(samples.length).toBeGreaterThan(0);
  expect(problems).toEqual([]);
});

test('a file of 96 MiB is still read', async () => {
  const record = soundRun();
  const run = writeRun(record, temporaryFolder());
  const text = record.samples.map((sample) => `${JSON.stringify(sample)}\n`).join('');
  writeFileSync(join(run, 'samples.jsonl'), text.padEnd(96 * MIB, `${' '.repeat(9999)}\n`));
  expect((await readRun(run)).samples).toHaveLength(record.samples.length);
});

test('a list names the reason, and the other runs', async () => {
  const results = temporaryFolder();
  const record = soundRun();
  const folder = join(results, 'runs', record.plan?.benchmark ?? '');
  mkdirSync(folder, { recursive: true });
  const [large, small] = ['large', 'small'].map((name) => {
    const run = writeRun(record, temporaryFolder());
    cpSync(run, join(folder, name), { recursive: true });
    return join(folder, name);
  }) as [string, string];
  truncateSync(join(large, 'samples.jsonl'), 702e6);
  const analyse = async (path: string): Promise<never> => {
    await readRun(path);
    throw new Error(`read ${path}`);
  };
  const said = (await listRuns(results, null, analyse)).map(({ run, reason }) => [run, reason]);
  expect(said).toEqual(
    expect.arrayContaining([
      ['large', expect.stringContaining('have 669 MiB')],
      ['small', expect.stringContaining(`read ${small}`)],
    ]),
  );
});
