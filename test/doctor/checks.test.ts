import { capabilities, examine } from '../../lib/doctor/checks';
import type { Machine } from '../../lib/doctor/machine';

/** A machine that has everything. */
const complete: Machine = {
  root: '/project',
  environment: { PATH: '', HOME: '/home/u', AWS_PROFILE: 'bench' },
  nodeVersion: '22.12.0',
  isRoot: true,
  ask: (argv) => (argv[0] === 'python3' ? 'Python 3.11.2\n' : 'version 1\n'),
  exists: () => true,
  freeBytes: () => 100 * 2 ** 30,
};
const stateOf = (machine: Machine, name: string) => examine(machine).find((finding) => finding.name === name);

test('a complete machine can deploy, run and be a lab', () => {
  expect(capabilities(examine(complete))).toEqual({ deploy: true, 'local run': true, lab: true });
});

test.each([
  ['Node.js', { nodeVersion: '18.20.1' }, { deploy: false, 'local run': false, lab: false }],
  [
    'npm packages',
    { exists: (path: string) => !path.includes('node_modules') },
    { deploy: false, 'local run': true, lab: false },
  ],
  [
    'AWS credentials',
    { environment: { PATH: '' }, exists: (path: string) => !path.includes('.aws') },
    { deploy: false, 'local run': true, lab: true },
  ],
  [
    'Python',
    { ask: (argv: readonly string[]) => (argv[0] === 'python3' ? 'Python 3.8.1' : 'x') },
    { deploy: true, 'local run': true, lab: false },
  ],
  [
    'fio',
    { ask: (argv: readonly string[]) => (argv[0] === 'fio' ? null : complete.ask(argv)) },
    { deploy: true, 'local run': false, lab: false },
  ],
  ['free disk', { freeBytes: () => 2 ** 30 }, { deploy: true, 'local run': true, lab: false }],
])('without %s exactly what needs it does not work, and the advice says what to do', (name, change, works) => {
  const machine = { ...complete, ...change } as Machine;
  const finding = stateOf(machine, name);
  expect(finding?.state).toBe('missing');
  expect(finding?.advice).toMatch(/\w/);
  expect(capabilities(examine(machine))).toEqual(works);
});

test('an ordinary user gets a lab of plain directories', () => {
  const machine = { ...complete, isRoot: false };
  expect(stateOf(machine, 'Btrfs on loop devices')).toMatchObject({ state: 'limited', found: 'not root' });
  expect(stateOf(machine, 'scale model')).toMatchObject({ state: 'limited', found: 'not root' });
  expect(capabilities(examine(machine)).lab).toBe(true);
});

test('a machine that cannot hold a scale model gets a lab without limits, and learns how to find out why', () => {
  const ask = (argv: readonly string[]) => (argv.join(' ').endsWith('lab/model/check') ? null : complete.ask(argv));
  const machine = { ...complete, ask };
  expect(stateOf(machine, 'scale model')).toMatchObject({
    state: 'limited',
    advice: expect.stringContaining('bash assets/lab/model/check names what is missing'),
  });
  expect(capabilities(examine(machine)).lab).toBe(true);
});
