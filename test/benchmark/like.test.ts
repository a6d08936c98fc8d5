import { join } from 'node:path';
import { MOUNT_BENCHMARK } from '../../lib/benchmark/registry';
import { recordedIn } from '../../lib/parse/recorded';
import { makePlan, planNamed } from '../../lib/plan/plan';
import type { RecordedTransfers, RecordedWork } from '../../lib/workload/common/measured';

const plan = planNamed(MOUNT_BENCHMARK, 'like');
const workOf = (name: string): RecordedWork =>
  recordedIn(join(__dirname, '../fixtures/tools', `darshan_ior_${name}.out`));
const settings = (work: RecordedWork, clients = 1, ranks?: number): readonly string[] =>
  plan.like?.(work, clients, ranks) ?? [];

const planOf = (set: readonly string[], clients = 1, name = plan.name) =>
  makePlan({
    benchmark: MOUNT_BENCHMARK,
    plan: name,
    scale: 'lab',
    hourlyUsd: 0,
    arms: [{ name: 'd', description: 'a directory' }],
    fleet: { clients, instanceType: null, ranksPerClient: 2 },
    set: ['repeats=1', ...(name === plan.name ? ['iorVersion=4.0.0'] : []), ...set],
    environment: { lab: true },
  });

/** Commands that move data, with the phase of each. */
function commandsOf(set: readonly string[], clients = 1): string[] {
  const { steps } = planOf(set, clients);
  return steps.flatMap(({ phase, tasks }) =>
    tasks.flatMap(({ action }) => ('command' in action ? [`${phase}: ${action.command.join(' ')}`] : [])),
  );
}

test('IOR gets the sizes, the files and the order of what was recorded', () => {
  expect(commandsOf(settings(workOf('fpp')))).toEqual([
    'measure: ior -a POSIX -t 262144 -b 4194304 -s 1 -k -F -w -e -l random -o {dir}/data',
    'measure: ior -a POSIX -t 262144 -b 4194304 -s 1 -k -F -r -C -Q 4 -l random -o {dir}/data',
  ]);
  expect(commandsOf(settings(workOf('shared')))).toEqual([
    'measure: ior -a POSIX -t 65536 -b 4194304 -s 1 -k -z -w -l random -o {dir}/data',
    'measure: ior -a POSIX -t 65536 -b 4194304 -s 1 -k -z -r -l random -o {dir}/data',
  ]);
});

test('its processes are shared among the machines, or as many as --ranks says on each', () => {
  expect(settings(workOf('fpp'), 2)).toContain('ranksPerClient=2');
  expect(settings(workOf('fpp'), 3, 8)).toContain('ranksPerClient=8');
  expect(() => settings(workOf('fpp'), 3)).toThrow('the program had 4 processes, which 3 clients cannot share evenly');
});

test('strided transfers are segments of a shared file, and several files are repetitions', () => {
  const shared = ['files=shared', 'writeOrder=strided', 'writeBytes=4MiB', 'writeTransferBytes=512KiB'];
  expect(commandsOf(shared)).toEqual(['measure: ior -a POSIX -t 524288 -b 524288 -s 8 -k -w -l random -o {dir}/data']);
  expect(commandsOf(['fileCount=3', 'writeBytes=1MiB', 'writeTransferBytes=1MiB'])).toEqual([
    'measure: ior -a POSIX -t 1048576 -b 1048576 -s 1 -k -F -m -i 3 -w -l random -o {dir}/data',
  ]);
});

test('a program that only read reads data that were written before', () => {
  const { read } = workOf('fpp');
  const [fill, measured] = commandsOf(settings({ ...workOf('fpp'), write: null, read }));
  expect(fill).toMatch(/^prepare: ior .* -w /);
  expect(measured).toMatch(/^measure: ior .* -r /);
});

test('random reads of own files pass the client’s cache, of data whose writes need no sync; parts of a transfer are rounded', () => {
  const set = ['files=own', 'writeBytes=0', 'readBytes=1441792', 'readTransferBytes=512KiB', 'readOrder=random'];
  expect(commandsOf([...set, 'sync=true'])).toEqual([
    'prepare: ior -a POSIX -t 524288 -b 1572864 -s 1 -k -F -z -w -l random -o {dir}/data',
    'measure: ior -a POSIX -t 524288 -b 1572864 -s 1 -k -F -z -r -C -Q 2 -l random -o {dir}/data',
  ]);
});

test('plan mount shares its bytes among the processes, and drops caches between phases on files', () => {
  const { steps } = planOf(['maxMiBPerArm=64'], 1, 'mount');
  const commands = steps.flatMap(({ tasks }) => tasks.flatMap(({ action }) => ('command' in action ? [action] : [])));
  expect(commands[0]?.command.join(' ')).toContain(' --size=32m ');
  const small = steps.flatMap(({ id }) => /^r1-files-(.*)/.exec(id)?.[1] ?? []);
  expect(small.join(' ')).toBe('directory create drop-caches-stat stat drop-caches-remove remove clean');
});

const write = (change: Partial<RecordedTransfers>): Partial<RecordedWork> => ({
  write: { bytes: 2 ** 24, operations: 64, transferBytes: 2 ** 18, order: 'sequential', ...change },
});
test.each<[Partial<RecordedWork>, string]>([
  [{ write: null, read: null }, 'moved no data: --plan mount creates'],
  [{ dataSeconds: 1, metadataSeconds: 3 }, 'spent 75 % of its time on files in opens, stats and syncs'],
  [{ streamed: 0.3 }, 'moved 30 % of its bytes through buffered streams'],
  [{ files: { shared: 0, partly: 2, own: 0 } }, 'used 0 files of all its 4 processes, 2 of some and 0 of one each'],
  [{ files: { shared: 1, partly: 0, own: 4 } }, 'used 1 file of all its 4 processes, 0 of some and 4 of one each'],
  [{ files: { shared: 0, partly: 0, own: 6 } }, 'used 0 files of all its 4 processes, 0 of some and 6 of one each'],
  [write({ transferBytes: null }), 'made writes of many sizes (16 MiB in 64 transfers)'],
  [write({ order: null }), 'made writes in no single order'],
  [write({ transferBytes: 1001 }), 'made transfers of 1001 B: IOR’s are multiples of 8 B'],
  [write({ order: 'strided' }), 'made strided transfers in files of one process each'],
])('%j cannot be driven, and it says what and why', (change, message) => {
  expect(() => settings({ ...workOf('fpp'), ...change })).toThrow(`the program ${message}`);
});

test('small transfers, whose data compress as IOR 3.3.0 repeats them, are what was recorded: a reservation, and no refusal', () => {
  const { issues } = planOf([...settings(workOf('shared')), 'iorVersion=3.3.0']);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(issues).toContainEqual(expect.objectContaining({ id: 'ior-incompressible-compresses', severity: 'warning' }));
});
