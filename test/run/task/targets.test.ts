import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MOUNT_BENCHMARK } from '../../../lib/benchmark/registry';
import { type Execute, execute as executeForReal } from '../../../lib/run/clients/process';
import type { RecordedTarget } from '../../../lib/schema/sample';
import { lustreFilesystem } from '../../../lib/storage/common/lustre';
import { drawn } from '../../support/drawn';
import { type LustreState, LustreSubstitute } from '../../support/lustre/substitute';
import { fakeExecute, healthy, localClients, smallPlan } from '../bench';
import { driveWith } from '../driver/driveWith';

const mockMounted = jest.fn();
jest.mock('../../../lib/common/mounts', () => {
  const actual = jest.requireActual('../../../lib/common/mounts');
  return {
    ...actual,
    mountAbove: (path: string, ...more: []) => mockMounted(path) ?? actual.mountAbove(path, ...more),
  };
});

let root: string;
let lustre: LustreSubstitute;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fsxbench-targets-'));
  lustre = new LustreSubstitute(join(root, 'state'), join(root, 'mnt/none'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Two files that lie on both targets, if both serve. */
function writeFiles(directory: string, state: LustreState): void {
  mkdirSync(directory, { recursive: true });
  for (const name of ['data.0.0', 'data.1.0']) {
    writeFileSync(join(directory, name), 'x');
    if (state === 'healthy') lustre.layout(join(directory, name), [['EOF', 2, 1_048_576, 'raid0', '0,1']]);
  }
}

/** Writes and reads once on a Lustre whose second object target is in a state, and in another from the end of the write on. */
async function runOn(state: LustreState, then = state, exitStatus = 0, { capacity = false } = {}) {
  lustre.state = state;
  const fake = fakeExecute((invocation) => {
    if (invocation.argv[0] !== 'fio') return healthy(invocation);
    const file = invocation.argv.map((word) => /^--(?:directory|filename)=(.+)$/.exec(word)?.[1]).find(Boolean) ?? '';
    writeFiles(invocation.argv.some((word) => word.startsWith('--directory=')) ? file : dirname(file), state);
    lustre.state = then;
    return exitStatus === 0 ? healthy(invocation) : { output: 'fio: io_u error: Input/output error\n', exitStatus };
  }).execute;
  const execute: Execute = (invocation, abort) =>
    /^(sh|lfs)$/.test(invocation.argv[0] ?? '')
      ? executeForReal(
          {
            ...invocation,
            environment: { ...invocation.environment, ...lustre.environment },
            // `lfs df` waits for a target that is away.
            timeoutSeconds: invocation.argv[1] === 'df' && then === 'hung' ? 1 : invocation.timeoutSeconds,
          },
          abort,
        )
      : fake(invocation, abort);
  const { config } = localClients(join(root, 'mnt'));
  const { status, samples } = await driveWith(healthy, {
    plan: smallPlan({
      ...(capacity
        ? {}
        : { benchmark: MOUNT_BENCHMARK, plan: 'mount', arms: [{ name: 'none', description: 'a Lustre' }] }),
      set: capacity
        ? ['tool=fio', 'compressibilities=2', 'repeats=1', 'warmUpSeconds=0']
        : ['tool=fio', 'repeats=1', 'filesPerRank=0'],
    }),
    clients: {
      config: {
        ...config,
        arms: Object.fromEntries(
          (capacity ? ['none', 'lz4'] : ['none']).map((arm) => [
            arm,
            { mountPoint: join(root, 'mnt', arm), actually: 'lustre', filesystem: 'lustre' },
          ]),
        ),
      },
      addresses: [],
      groups: 1,
    },
    execute,
    pause: async () => {},
  });
  const written = samples.find(({ step, targets }) => step === 'r1-data-write' && targets !== undefined);
  const reason = samples.find(({ step, value }) => step === 'r1-data-write' && value === null)?.reason;
  return { status, targets: written?.targets, reason, samples };
}

const target = (
  name: string,
  objects: number | null,
  before: RecordedTarget['before'] = 'active',
  after = before,
): RecordedTarget => ({ name: `lz4-${name}`, before, after, objects });
const METADATA = [target('MDT0000', null), target('MDT0001', null)];

test.each<[LustreState, RecordedTarget]>([
  ['healthy', target('OST0001', 2)],
  ['inactive', target('OST0001', 0, 'inactive')],
  ['full', target('OST0001', 0, 'nearly full')],
])('the time of a measured phase says on which targets its data lie: %s', async (state, second) => {
  const { targets } = await runOn(state);
  expect(targets).toEqual([target('OST0000', 2), second, ...METADATA]);
});

test('the space of a file system without one of its targets is null with the reason, and the run continues', async () => {
  const { samples, status } = await runOn('inactive', 'inactive', 0, { capacity: true });
  expect(status.state).toBe('done');
  const space = samples.filter(({ operation, metric }) => operation === 'capacity' && metric !== 'settle_seconds');
  expect(space.length).toBeGreaterThan(0);
  for (const { value, reason } of space)
    expect([value, reason]).toEqual([null, 'lfs df leaves out lz4-OST0001: see lfs check servers']);
});

test.each(
  drawn<[LustreState, RecordedTarget['after']]>([
    ['deactivated', 'inactive'],
    ['evicted', 'evicted'],
    ['hung', 'disconnected'],
  ]),
)('a target that is %s from the middle of a phase on has another state after it', async (state, after) => {
  const { targets } = await runOn('healthy', state);
  expect(targets).toEqual([target('OST0000', 2), target('OST0001', 2, 'active', after), ...METADATA]);
});

test.each(
  drawn<[LustreState, string]>([
    ['deactivated', "lz4-OST0001 is inactive: activate it as root with lctl set_param '*.lz4-OST0001-*.active=1'"],
    ['evicted', 'lz4-OST0001 evicted this client'],
    ['hung', 'lz4-OST0001 does not answer'],
  ]),
)('a phase that fails because a target is %s names it, with the next step', async (state, words) => {
  const { reason, status } = await runOn('healthy', state, 2);
  expect(reason).toMatch(/^exit status 2/);
  expect(reason).toContain(words);
  expect(status.message).toContain(words);
});

test('a phase that fails on a sound file system has the tool’s own reason alone', async () => {
  expect((await runOn('healthy', 'healthy', 2)).reason).not.toContain('lz4-OST');
});

test('objects of the eleventh target are counted as its own, since names of targets are hexadecimal', async () => {
  const text = '\tobdidx\t\t objid\t\t objid\t\t group\n\t    10\t             3\t          0x3\t             0\n';
  const commands = { named: () => ({ run: async () => null, text }) };
  const place = { directory: '/fsx/a', mountPoint: '/fsx', commands } as never;
  const objects = await lustreFilesystem.targets?.objects(place, ['a-OST0000', 'a-OST000a', 'a-OST0010', 'a-MDT0000']);
  expect(objects).toEqual(
    new Map([
      ['a-OST0000', 0],
      ['a-OST000a', 1],
      ['a-OST0010', 0],
    ]),
  );
});

const LUSTRE = { type: 'lustre', device: '10.0.0.1@tcp:/a' };

test('of targets away those of its own file system count, and each once, by its state if it has one', async () => {
  const away = (name: string) =>
    `lfs check: error: check '${name}-osc-ff11': Cannot send after transport endpoint shutdown (108)\n`;
  const texts = {
    targets: 'osc.a-OST0001-osc-ff11.active=0\n',
    servers: ['a-OST0000', 'a-OST0001', 'ab-OST0000', 'b-a-OST0000'].map(away).join(''),
  };
  const named = (name: keyof typeof texts) => ({ run: async () => null, text: texts[name] });
  mockMounted.mockReturnValueOnce(LUSTRE).mockReturnValueOnce(LUSTRE);
  const place = { mountPoint: '/fsx', commands: { named } } as never;
  const fault = await lustreFilesystem.targets?.fault(place, new Date());
  expect(fault?.split('; ').map((one) => one.replace(/:.*/, ''))).toEqual([
    'a-OST0001 is inactive',
    'a-OST0000 does not answer',
  ]);
});
