import { capabilities, examine, type Machine, thisMachine } from '../../lib/doctor/checks';

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

test.each(['3.9.16', '3.14.0', '4.0.0'])('Python %s is new enough', (version) => {
  expect(stateOf({ ...complete, ask: () => `Python ${version}\n` }, 'Python')?.state).toBe('ok');
});

test('packages of npm are installed with their commands, or not at all', () => {
  const exists = (path: string): boolean => !path.endsWith('.bin/cdk');
  expect(stateOf({ ...complete, exists }, 'npm packages')).toMatchObject({ state: 'missing', advice: 'npm ci' });
});

test.each(['credentials', 'config'])('a file ~/.aws/%s is as good as AWS_PROFILE', (file) => {
  const machine = { ...complete, environment: { PATH: '', HOME: '/home/u' } };
  const exists = (path: string): boolean => path === `/home/u/.aws/${file}`;
  expect(stateOf({ ...machine, exists }, 'AWS credentials')).toMatchObject({ state: 'ok', found: '~/.aws' });
});

test('an environment of Python that is made needs no package that would make one', () => {
  const ask = (argv: readonly string[]): string | null => (argv.includes('-c') ? null : complete.ask(argv));
  expect(stateOf({ ...complete, ask }, 'Python venv')?.state).toBe('ok');
  const without = { ...complete, ask, exists: (path: string) => !path.includes('venv') };
  expect(stateOf(without, 'Python venv')).toMatchObject({ state: 'missing', advice: 'apt-get install python3-venv' });
  expect(stateOf({ ...without, ask: complete.ask }, 'Python venv')?.state).toBe('ok');
});

test('room for a lab is 8 GiB', () => {
  const of = (bytes: number) => stateOf({ ...complete, freeBytes: () => bytes }, 'free disk');
  expect(of(8 * 2 ** 30)?.state).toBe('ok');
  expect(of(8 * 2 ** 30 - 1)?.advice).toBe('free up 8 GiB in /project');
  expect([of(8 * 2 ** 30)?.found, of(99.6 * 2 ** 30)?.found, of(0)?.found]).toEqual(['8 GiB', '100 GiB', '0 GiB']);
});

test('a missing tool comes with its packages, or its name where no packages are known', () => {
  const ask = (needs: string | null) => (argv: readonly string[]) =>
    argv[0] === 'fio' ? null : argv.includes('fio') ? needs : complete.ask(argv);
  const advice = (needs: string | null) => stateOf({ ...complete, ask: ask(needs) }, 'fio')?.advice;
  expect(advice('fio\tfio\tfio\n')).toBe('apt-get install fio, or dnf install fio');
  expect(advice(null)).toBe('install fio');
});

test('a tool that no package has is not advised as the packages that are there', () => {
  const ask = (needs: string) => (argv: readonly string[]) => (argv.includes('mpirun') ? needs : complete.ask(argv));
  const advice = (needs: string) => stateOf({ ...complete, exists: () => false, ask: ask(needs) }, 'IOR')?.advice;
  expect(advice('')).toMatch(/^without it fio writes all compressibilities; put ior 3.3.0 on the PATH to use/);
  expect(advice('mpirun\topenmpi-bin\topenmpi\n')).toMatch(
    /^apt-get install openmpi-bin, or dnf install openmpi; without it/,
  );
});

test('this computer is asked for what succeeds only, with all that it says', () => {
  const { ask } = thisMachine('/project', process.env);
  expect(ask(['sh', '-c', 'echo one; echo two >&2'])).toBe('one\ntwo\n');
  expect(ask(['sh', '-c', 'echo one; exit 1'])).toBeNull();
  expect(ask(['no-such-program'])).toBeNull();
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
