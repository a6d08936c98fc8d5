import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as z from 'zod';
import { clientSchema, startSchema } from '../../lib/schema/client';
import { deploymentSchema } from '../../lib/schema/deployment';
import { read } from '../../lib/schema/document';
import { environmentSchema } from '../../lib/schema/environment';
import { metricsSchema } from '../../lib/schema/metrics';
import { type Plan, planSchema } from '../../lib/schema/plan';
import { manifestSchema, statusSchema } from '../../lib/schema/run';
import { sampleSchema } from '../../lib/schema/sample';
import { baselineSchema } from '../../lib/schema/summary';
import { readDashboardMetrics, readManifest, readSamples, readStatus } from '../../lib/store/documents';
import { readRun } from '../../lib/store/readRun';
import { readPlan } from '../../lib/store/record';
import { soundRun } from '../analysis/runs';
import { writeRun } from '../report/writeRun';

const sound = { ...soundRun({ repeats: 1, compressibilities: [1] }), raw: [] };
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function written(record = sound): string {
  const folder = writeRun(record);
  folders.push(folder);
  return folder;
}

/** The run with another configuration of its first arm. */
function withConfiguration(change: (configuration: Readonly<Record<string, unknown>>) => object): string {
  const { arms, ...plan } = sound.plan as Plan;
  const [first, ...others] = arms;
  const configuration = change({ ...first?.configuration }) as Plan['arms'][number]['configuration'];
  return written({
    ...sound,
    plan: { ...plan, arms: [{ ...first, configuration } as Plan['arms'][number], ...others] },
  });
}

describe('a document of a newer version', () => {
  test.each([
    ['plan', planSchema],
    ['manifest', manifestSchema],
    ['status', statusSchema],
    ['sample', sampleSchema],
    ['client', clientSchema],
    ['deployment', deploymentSchema],
    ['start', startSchema],
    ['environment', environmentSchema],
    ['metrics', metricsSchema],
    ['report', baselineSchema],
  ])('is named as such, with the version that is known, and what to do: %s', (kind, schema) => {
    const answer = read(schema as z.ZodType, { schema: `fsxbench.${kind}/2`, run: 7 });
    expect(answer).toEqual({
      fault: ` (it is fsxbench.${kind}/2, and this fsxbench knows fsxbench.${kind}/1: update fsxbench)`,
    });
  });

  test.each(['fsxbench.status/2', 'fsxbench.plan/0', 'fsxbench.plan/1.5', 'fsxbench.plan/', 'constructor', 7, null])(
    'is no other: %s',
    (schema) => {
      expect(read(planSchema, { schema })).toEqual({ fault: expect.stringMatching(/^ \(schema: /) });
    },
  );

  test('stops a driver with its file, and leaves its samples out of a report with a word', async () => {
    const folder = written();
    const put = (file: string, schema: string) => writeFileSync(join(folder, file), `{"schema":"${schema}"}\n`);
    put('plan.json', 'fsxbench.plan/2');
    put('samples.jsonl', 'fsxbench.sample/2');
    expect(() => readPlan(folder)).toThrow(
      /cannot read the run's plan '.*plan\.json' .*fsxbench\.plan\/2.*update fsxbench/,
    );
    expect((await readRun(folder)).problems).toEqual([
      { file: 'plan.json', message: expect.stringContaining('update fsxbench') },
      {
        file: 'samples.jsonl',
        message: expect.stringMatching(/^line 1 is not a sample \(it is fsxbench\.sample\/2, .*: update fsxbench\)/),
      },
    ]);
  });
});

describe('a configuration in a plan is checked by its own storage', () => {
  const broken = () => withConfiguration((one) => ({ ...one, storageCapacityGiB: '14400' }));

  test('before anything runs: the error names the field, the value, what is allowed and the next step', () => {
    expect(() => readPlan(broken())).toThrow(
      /cannot read the run's plan '.*plan\.json' \(it does not have the expected form \(arms\.0\.configuration\.storageCapacityGiB: .*expected number.*, got "14400"\)\): restore it from the results bucket/,
    );
  });

  test('and a report goes on without that plan, and says so', async () => {
    const { plan, problems } = await readRun(broken());
    expect(plan).toBeNull();
    expect(problems).toContainEqual({
      file: 'plan.json',
      message: expect.stringContaining('arms.0.configuration.storageCapacityGiB'),
    });
  });

  test('one without a kind is refused', () => {
    expect(() => readPlan(withConfiguration(({ kind: _, ...one }) => one))).toThrow(
      "arms.0.configuration: must be an object with a 'kind'",
    );
  });

  test('of a kind that only another release knows, nothing is claimed', () => {
    expect(readPlan(withConfiguration(() => ({ kind: 'tape', reels: 4 }))).arms[0]?.configuration).toEqual({
      kind: 'tape',
      reels: 4,
    });
  });
});

describe('a plan runs a tool by its own program', () => {
  /** The plan with the first word of each command replaced. */
  function withProgram(change: (program: string, tool: string) => string): string {
    const plan = sound.plan as Plan;
    const steps = plan.steps.map((step) => ({
      ...step,
      tasks: step.tasks.map(({ action, ...task }) =>
        'command' in action
          ? {
              ...task,
              action: {
                ...action,
                command: [change(action.command[0] ?? '', action.tool), ...action.command.slice(1)],
              },
            }
          : { ...task, action },
      ),
    }));
    return written({ ...sound, plan: { ...plan, steps } as Plan });
  }

  test('and is read then, with the driver’s own actions between', () => {
    expect(readPlan(withProgram((program) => program))).toEqual(sound.plan);
    const kinds = sound.plan?.steps.flatMap(({ tasks }) => tasks.map(({ action }) => action.kind));
    expect(new Set(kinds).size).toBeGreaterThan(1);
  });

  test.each(['sh', '/tmp/ior', ''])('and is refused with “%s” in its place, which the error places', (other) => {
    const [step, task] = placeOfWorkload();
    expect(() => readPlan(withProgram(() => other))).toThrow(
      `(steps.${step}.tasks.${task}.action: a command must start with its tool`,
    );
  });

  function placeOfWorkload(): [number, number] {
    const { steps } = sound.plan as Plan;
    const step = steps.findIndex(({ tasks }) => tasks.some(({ action }) => action.kind === 'workload'));
    return [step, steps[step]?.tasks.findIndex(({ action }) => action.kind === 'workload') ?? -1];
  }
});

test.each([
  ['plan', readPlan, 'plan.json'],
  ['manifest', readManifest, 'manifest.json'],
  ['status', readStatus, 'status.json'],
])('a %s is never read through a link', (name, read, file) => {
  const folder = written();
  const other = join(written(), file);
  rmSync(join(folder, file));
  symlinkSync(other, join(folder, file));
  expect(() => read(folder)).toThrow(
    `cannot read the run's ${name} '${join(folder, file)}' (it cannot be read (it is a link`,
  );
});

test.each(['plan.json', 'manifest.json', 'status.json', 'samples.jsonl', 'metrics/lz4.json', 'environment/i-1.json'])(
  'a pipe in the place of %s is no file, and nobody waits for its end',
  async (file) => {
    const folder = written();
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    rmSync(join(folder, file), { force: true });
    execFileSync('mkfifo', [join(folder, file)]);
    const { problems } = await readRun(folder);
    expect(problems).toContainEqual({ file, message: 'cannot be read (it is not a regular file)' });
  },
);

test.each(['metrics', 'environment'])(
  'a file in the place of the folder %s is named, and the rest of the run is read',
  async (name) => {
    const folder = written();
    rmSync(join(folder, name), { recursive: true, force: true });
    writeFileSync(join(folder, name), '');
    const { problems, samples } = await readRun(folder);
    expect(problems).toEqual([{ file: name, message: 'cannot be read (ENOTDIR)' }]);
    expect(samples).toHaveLength(readSamples(folder).samples.length);
  },
);

test('the first wrong series of an arm’s metrics is named by its place, and a draft beside the file is not read', async () => {
  const [metrics] = sound.metrics;
  const folder = written();
  const file = join('metrics', 'none.json');
  mkdirSync(join(folder, 'metrics'), { recursive: true });
  const right = metrics?.series[0];
  const series = [right, right, { ...right, points: 1 }, { ...right, statistic: 7 }];
  writeFileSync(join(folder, file), JSON.stringify({ ...metrics, series }));
  writeFileSync(join(folder, `${file}.new`), '{');
  const { problems } = await readRun(folder);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({
    file,
    message: expect.stringMatching(/^does not have the expected form \(series\.2\.points: /),
  });
});

test('a run that is at work is read, though a file of raw output goes between its listing and a look at it', async () => {
  const folder = written();
  mkdirSync(join(folder, 'raw'));
  for (const name of ['a.json', 'a.json.new']) writeFileSync(join(folder, 'raw', name), '{}');
  const look = promises.stat;
  jest.spyOn(promises, 'stat').mockImplementation(((path: string) => {
    rmSync(join(folder, 'raw', 'a.json.new'), { force: true });
    return look(path);
  }) as typeof look);
  expect((await readRun(folder)).raw).toEqual([{ path: 'raw/a.json', bytes: 2 }]);
  jest.restoreAllMocks();
});

test('a last line is told to be cut off only where its end is missing', () => {
  const folder = written();
  const path = join(folder, 'samples.jsonl');
  const whole = readFileSync(path, 'utf8');
  const saidOf = (end: string) => {
    writeFileSync(path, `${whole}${end}`);
    return readSamples(folder).problems.map(({ message }) => message.replace(/^line \d+ /, ''));
  };
  expect(saidOf('')).toEqual([]);
  expect(saidOf('{"schema":')).toEqual(['was not written to its end and is left out']);
  expect(saidOf('{"schema":\n')).toEqual(['is not a sample and is left out']);
});

test('what a driver has not written yet is none', () => {
  const folder = written();
  for (const file of ['status.json', 'samples.jsonl']) rmSync(join(folder, file));
  expect(readStatus(folder)).toBeNull();
  expect(readSamples(folder).samples).toEqual([]);
  expect(readDashboardMetrics(folder)).toBeNull();
});

test('metrics of a dashboard that were cut off are named, with the command that collects them again', () => {
  const folder = written();
  mkdirSync(join(folder, 'metrics', 'dashboard'), { recursive: true });
  writeFileSync(join(folder, 'metrics', 'dashboard', 'series.json'), '{"schema": "fsxbench.dash');
  expect(() => readDashboardMetrics(folder)).toThrow(/series\.json' \(it is not JSON\): .*fsxbench collect/);
});

test('a node’s description is read as its schema has it; a wrong part is named, and the rest of the run is read', async () => {
  const folder = written({ ...sound, environment: [{ node: 'i-1', facts: { node: 'a', cpus: 36 } }] });
  expect((await readRun(folder)).environment).toEqual([{ node: 'i-1', facts: { node: 'a', cpus: 36 } }]);
  const file = join(folder, 'environment', 'i-1.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('36', '"many"'));
  const { environment, problems, samples } = await readRun(folder);
  expect([environment, samples.length]).toEqual([[], sound.samples.length]);
  expect(problems.map(({ file: at, message }) => [at, message])).toEqual([
    ['environment/i-1.json', expect.stringContaining('(cpus: ')],
  ]);
});
