import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import type * as z from 'zod';
import { runSession } from '../../lib/run/driver/session';
import { keepStart, sha256 } from '../../lib/run/started';
import type { ClientConfig } from '../../lib/schema/client';
import { clientLoadSchema } from '../../lib/schema/environment';
import { planSchema } from '../../lib/schema/plan';
import { manifestSchema, statusSchema } from '../../lib/schema/run';
import { sampleSchema } from '../../lib/schema/sample';

import { fsxbenchIn } from '../cli/support';
import { allAnswer, fakeExecute, healthy, localClients } from '../run/bench';
import { fieldNames, fieldsOf, HOSTILE, leavesOf, type Path, withValue } from './fields';

import { around, fleetPlan, manifest, plan, RUN, world } from './world';

const PROGRAMS = [
  'fio',
  'find',
  'mkdir',
  'mv',
  'df',
  'sync',
  'ssh',
  '/opt/fsxbench/bin/drop-caches',
  '/opt/fsxbench/bin/describe-node',
  '/opt/fsxbench/bin/end-leftovers',
  '/opt/fsxbench/bin/remove-below',
];

/** A session in such a world: whatever it would have started is checked. @returns how it ended */
async function session(
  { root, folder, mounts }: ReturnType<typeof world>,
  config: Partial<ClientConfig> = {},
): Promise<string> {
  const before = around(root, folder);
  const { execute, commands } = fakeExecute(healthy);
  let end: string;
  try {
    const { status } = await runSession({
      folder,
      client: { ...localClients(mounts).config, ...config },
      abort: new AbortController().signal,
      execute,
      answering: allAnswer,
    });
    end = status.state;
  } catch (error) {
    end = (error as Error).message;
  }
  expect(around(root, folder)).toEqual(before);
  for (const argv of commands) {
    expect(PROGRAMS).toContain(argv[0]);
    if (argv[0] === 'ssh') {
      expect(argv.slice(1, 5)).toEqual(['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=10']);
      expect(argv[5]).toMatch(/^10\.0\.0\.[45]$/);
      expect(argv).toHaveLength(7);
    }
    const below = ['none', 'lz4'].map((arm) => `${join(mounts, arm, 'fsxbench')}/`);
    const removes = argv[0] === '/opt/fsxbench/bin/remove-below';
    if (removes || argv[0] === 'mv' || argv[0] === 'mkdir') {
      const words = argv.slice(1).filter((word) => !word.startsWith('-'));
      const paths = removes ? words.slice(1).map((path) => join(words[0] ?? '', path)) : words;
      expect(paths.filter((path) => !below.some((one) => resolve(path).startsWith(one)))).toEqual([]);
    }
  }
  return end;
}

/** Each field in turn, with what fast-check draws of the hostile values. */
async function eachField(
  document: unknown,
  schema: z.ZodType,
  check: (path: Path, value: unknown) => Promise<void>,
): Promise<void> {
  const paths = leavesOf(document).filter((path) => path.length > 0);
  const missing = fieldsOf(schema).filter(
    (field) => !fieldNames(paths).some((name) => name === field || name.startsWith(`${field}.`)),
  );
  for (const path of paths) {
    const draw = fc.asyncProperty(fc.constantFrom(...HOSTILE), (value) => check(path, value));
    await fc.assert(draw, { numRuns: 2 });
    await check(path, HOSTILE[0]);
  }
  // A field that a schema has and no document here would go untried.
  expect(missing.filter((field) => !ABSENT.has(field))).toEqual([]);
}
const below = (place: string, names: string): string[] => names.split(' ').map((name) => `${place}${name}`);
/** Fields that these documents leave out, or have empty: they decide nothing in a session. */
const ABSENT = new Set([
  ...below('steps.tasks.action.rounds.', 'seconds max'),
  ...below('steps.tasks.action.', 'fresh serverCpu spread fileSystemId iops'),
  ...below('arms.', 'describe serverCpu'),
  ...below('stack.', 'priceBasis'),
  ...below('steps.', 'plannedNodes'),
  ...below('', 'plannedNodes reason'),
  ...below('arms.model.', 'uncounted'),
  ...below('fleet.', 'kind leader'),
  ...below('fleet.machines.', 'asked names'),
  ...below('fsxbench.', 'version commit'),
  ...below('issues.', 'id severity message expected actual suggestion where allowed'),
  ...fieldsOf(clientLoadSchema).map((field) => `load.${field}`),
]);

jest.setTimeout(180_000);

test('the world is as it should be: its plan runs to its end, here and on a fleet', async () => {
  const here = world();
  here.put('plan.json', plan);
  here.put('manifest.json', manifest);
  expect(await session(here)).toBe('done');
  const fleet = world();
  fleet.put('plan.json', fleetPlan);
  fleet.put('manifest.json', manifest);
  // Over ssh nobody answers here: it is what would be started that counts.
  expect(await session(fleet, { launch: 'ssh' })).toBe('failed');
});

describe('nothing is executed, written or removed outside, whatever stands in', () => {
  test('a field of the plan', async () => {
    const here = world();
    here.put('manifest.json', manifest);
    await eachField(plan, planSchema, async (path, value) => {
      here.put('plan.json', withValue(plan, path, value));
      await session(here);
    });
  });

  test('a field of the manifest, the list of clients among them', async () => {
    const here = world();
    here.put('plan.json', fleetPlan);
    await eachField(manifest, manifestSchema, async (path, value) => {
      here.put('manifest.json', withValue(manifest, path, value));
      await session(here, { launch: 'ssh' });
    });
  });

  test('a field of samples or status of an earlier session', async () => {
    const done = world();
    done.put('plan.json', plan);
    done.put('manifest.json', manifest);
    await session(done);
    const [sample] = readFileSync(join(done.folder, 'samples.jsonl'), 'utf8')
      .split('\n')
      .map((line) => line && JSON.parse(line));
    const status = JSON.parse(readFileSync(join(done.folder, 'status.json'), 'utf8'));
    sample.targets = [{ name: 'lz4-OST0000', before: 'active', after: 'active', objects: 1 }];
    status.sessions[0].events = [{ at: status.startedAt, kind: 'clock', message: 'a message' }];
    await eachField(sample, sampleSchema, async (path, value) => {
      writeFileSync(join(done.folder, 'samples.jsonl'), `${JSON.stringify(withValue(sample, path, value))}\n`);
      expect(await session(done)).toBe('done');
    });
    await eachField(status, statusSchema, async (path, value) => {
      done.put('status.json', withValue(status, path, value));
      expect(await session(done)).toBe('done');
    });
  });
});

test.each(['fsxbench', `fsxbench/${RUN}`])('data are neither made nor removed behind a link at %s', async (place) => {
  const here = world();
  here.put('plan.json', plan);
  here.put('manifest.json', manifest);
  mkdirSync(join(here.mounts, 'none', place, '..'), { recursive: true });
  symlinkSync(join(here.root, 'outside'), join(here.mounts, 'none', place));
  expect(await session(here)).toBe('failed');
  expect(readFileSync(join(here.folder, 'samples.jsonl'), 'utf8')).toMatch(
    /must stay there, got .*, and '.*' is a link/,
  );
});

describe('a run that was fetched', () => {
  /** A file as somebody would write it who holds a client: it claims to be a run of this computer. */
  function planted() {
    const here = world();
    const target = join(here.root, 'owned');
    const command = ['sh', '-c', `touch ${target}`];
    const steps = plan.steps.map((step) => ({
      ...step,
      tasks: step.tasks.map((task) =>
        task.action.kind === 'workload' ? { ...task, action: { ...task.action, command } } : task,
      ),
    }));
    here.put('plan.json', { ...plan, steps });
    here.put('manifest.json', { ...manifest, stack: null, bucket: null });
    here.put('client.json', { ...localClients(here.mounts).config, tools: { fio: '3.33' } });
    return here;
  }

  const resume = (root: string) => {
    const environment = { ...process.env, AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_REGION: 'us-east-1' };
    const words = ['run', 'CompressionBench', '--resume', RUN, '--results', join(root, 'results')];
    return fsxbenchIn({ root, environment }, words);
  };

  test('is not run by --resume, though it says that it belongs here', async () => {
    const { root, folder } = planted();
    const { status, err } = await resume(root);
    expect([status, err]).toEqual([2, expect.stringContaining('has a record that this user started it')]);
    expect(readdirSync(root)).not.toContain('owned');
    expect(readdirSync(folder)).not.toContain('samples.jsonl');
  });

  test('is not run with another plan than it was started with, nor where its own files say', async () => {
    const { root, folder, mounts, put } = planted();
    const client = { ...localClients(mounts).config, home: resolve(__dirname, '../../assets/client') };
    const original = JSON.stringify(plan);
    const reference = { benchmark: 'CompressionBench', run: RUN };
    const record = {
      schema: 'fsxbench.start/1',
      ...reference,
      planSha256: sha256(original),
      stack: null,
      client,
    } as const;
    await keepStart(process.env, record);
    for (const path of leavesOf(plan).filter(({ length }) => length > 0)) {
      put('plan.json', withValue(plan, path, 'hostile'));
      const { status, err } = await resume(root);
      expect([status, err]).toEqual([2, expect.stringMatching(/plan.json' must be|is a run of hostile/)]);
    }
    expect(readdirSync(folder)).not.toContain('samples.jsonl');
    put('plan.json', plan);
    put('client.json', { ...client, arms: { none: { ...client.arms.none, mountPoint: join(root, 'outside') } } });
    await resume(root);
    expect(readdirSync(folder)).toContain('samples.jsonl');
    expect(readdirSync(join(root, 'outside'))).toEqual(['precious']);
  });
});
