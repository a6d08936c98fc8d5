import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseText } from '../../lib/parse';
import { WORKLOADS } from '../../lib/workload/registry';
import { type Behaviour, healthy, smallPlan } from '../run/bench';
import { driveWith } from '../run/driver/driveWith';

// The one line of registration.
jest.mock('../../lib/workload/registry', () => {
  const registry = jest.requireActual('../../lib/workload/registry');
  const { toyload } = jest.requireActual('./example');
  return { ...registry, WORKLOADS: [...registry.WORKLOADS, toyload] };
});

const LINE = 'toyload 1.2: write 1000000000 bytes in 2.500 s\n';

const machine: Behaviour = (invocation) => {
  const [program, operation] = invocation.argv;
  if (program !== 'toyload') return healthy(invocation);
  return { output: LINE.replace('write', operation === '--write' ? 'write' : 'read') };
};

test('the registry has one workload more', () => {
  expect(WORKLOADS.at(-1)?.id).toBe('toyload');
});

test('its output is recognised, and is no other tool’s', () => {
  expect(parseText('x.out', LINE)).toMatchObject({ tool: 'toyload', version: '1.2', complete: true, valid: true });
  for (const { id } of WORKLOADS.slice(0, -1))
    expect(parseText('x.out', LINE, undefined, '', id)).toMatchObject({ samples: [], valid: false });
});

test('a plan takes it by name, and its values become samples', async () => {
  const plan = smallPlan({ set: ['tool=toyload', 'compressibilities=1', 'repeats=2', 'warmUpSeconds=0'] });
  const { status, samples, commands } = await driveWith(machine, { plan });
  expect(status.state).toBe('done');
  expect(commands).toContainEqual(['toyload', '--write', '--seconds=2', '--threads=2', expect.stringMatching(/\/0$/)]);
  const rates = samples.filter(({ metric }) => metric === 'throughput');
  expect(rates.map(({ operation, value, tool, pattern }) => [operation, value, tool, pattern]).slice(0, 2)).toEqual([
    ['write', 400, 'toyload', 'toyload-random'],
    ['read', 400, 'toyload', 'toyload-random'],
  ]);
  expect(rates).toHaveLength(2 * 2 * 2);
});

test('what it cannot do is refused with what can', () => {
  expect(() => smallPlan({ set: ['tool=toyload', 'compressibilities=2.6'] })).toThrow(
    "toyload cannot write data that compress 2.6:1: set tool=auto or tool=fio, or take this compressibility out of 'compressibilities'",
  );
  expect(() => smallPlan({ set: ['tool=toy'] })).toThrow(/'tool' must be one of auto, ior, .*toyload, got 'toy'/);
});

test('the page for those who add one shows this code', () => {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'extending', 'workload.md'), 'utf8');
  const code = readFileSync(join(__dirname, 'example', 'index.ts'), 'utf8')
    .replaceAll('../../../lib/workload/', '../')
    .replaceAll('../../../lib/', '../../');
  expect(page).toContain(`\`\`\`ts\n${code}\`\`\``);
});
