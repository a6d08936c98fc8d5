import { commandIssues, planIssues } from '../../lib/benchmark/common/checks';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { documentedPlan } from '../../lib/cli/plan';
import type { Plan } from '../../lib/schema/plan';

const named = (name: string) => {
  const found = BENCHMARKS.find((benchmark) => benchmark.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};
const planOf = (name: string, plan: string, scale: string, set: readonly string[] = []): Plan =>
  documentedPlan(named(name), { plan, scale, set });
const checkedOf = (made: Plan) => ({ ...made, asStudied: made.plan === 'published', surroundings: {} });
const linted = (made: Plan) => commandIssues(checkedOf(made));

/** The plan with a word of its commands in another form. */
function withWords(made: Plan, change: (words: readonly string[]) => readonly string[]): Plan {
  const steps = made.steps.map((step) => ({
    ...step,
    tasks: step.tasks.map((task) =>
      task.action.kind === 'workload'
        ? { ...task, action: { ...task.action, command: change(task.action.command) } }
        : task,
    ),
  }));
  return { ...made, steps };
}

const FIRST = BENCHMARKS.flatMap(({ name, plans }) =>
  ['published', 'smoke', 'lab'].map((scale): [string, string, string] => [plans[0]?.name ?? '', name, scale]),
);

test.each(FIRST)('the linter warns of no command of the plan %s of %s at scale %s', (first, name, scale) => {
  expect(linted(planOf(name, first, scale)).filter(({ severity }) => severity !== 'note')).toEqual([]);
});

test.each([
  ['iorVersion=4.0.0', ['CompressionBench', 'MetadataBench']],
  ['tool=fio', ['CompressionBench', 'MetadataBench']],
  ['fileBytes=4096', ['MetadataBench']],
])('nor with %s', (setting, benchmarks) => {
  for (const name of benchmarks) {
    expect(
      linted(planOf(name, 'paired', 'published', [setting])).filter(({ severity }) => severity !== 'note'),
    ).toEqual([]);
  }
});

test('what a published plan does as its study did is told as a note, and why it is kept', () => {
  const blog = linted(planOf('CompressionBench', 'published', 'published'));
  expect(blog.map(({ id, severity }) => `${severity} ${id}`)).toEqual([
    'note ior-time-limit-without-stonewall',
    'note ior-time-limit-cuts-repetitions',
    'note ior-pattern-depends-on-version',
  ]);
  expect(blog[0]?.message).toMatch(/The study did so, and this plan reproduces it\.$/);
  const metadata = linted(planOf('MetadataBench', 'published', 'published'));
  expect(metadata.map(({ id }) => id)).toEqual(['mdtest-stat-cached', 'mdtest-read-opens-only']);
});

test('every command that a plan will run is looked at, and what is wrong with it stands among the plan’s issues', () => {
  const made = planOf('CompressionBench', 'paired', 'published');
  const without = withWords(made, (words) => words.filter((word) => word !== 'stoneWallingWearOut=1'));
  const [issue] = planIssues(checkedOf(without), []).filter(({ id }) => id === 'ior-status-file-without-wear-out');
  expect(issue).toMatchObject({ severity: 'error', expected: 'a command without lint findings' });
  expect(issue?.actual).toMatch(/^mpirun -npernode 18 ior -a POSIX /);
  expect(issue?.where).toMatch(/^warm-up-write and \d+ more$/);
  expect(issue?.suggestion).toContain('-O stoneWallingWearOut=1');
});

test.each([
  [
    'a buffered write without fsync',
    'ior-missing-fsync',
    (word: string) => (['-e', '--posix.odirect'].includes(word) ? '' : word),
  ],
  [
    'a write of zeros by fio',
    'fio-constant-data',
    (word: string) => (word.startsWith('--buffer_c') ? '--zero_buffers' : word),
  ],
  [
    'data that repeat themselves',
    'fio-missing-refill-buffers',
    (word: string) => (word === '--refill_buffers' ? '' : word),
  ],
])('%s would be found', (_, id, change) => {
  const made = withWords(planOf('CompressionBench', 'paired', 'published'), (words) =>
    words.map(change).filter((word) => word !== ''),
  );
  expect(linted(made).map((issue) => issue.id)).toContain(id);
});

test('arms count: zeros on an arm without compression are no fault of it', () => {
  const made = withWords(planOf('CompressionBench', 'paired', 'published'), (words) =>
    words.map((word) => (word.startsWith('--buffer_c') ? '--zero_buffers' : word)),
  );
  const steps = made.steps.map((step) => ({ ...step, tasks: step.tasks.filter(({ arm }) => arm === 'none') }));
  expect(linted({ ...made, steps }).map(({ id }) => id)).not.toContain('fio-constant-data');
});

test('parameters count: stripe count −1 under mdtest, IOR’s version against its pattern', () => {
  const wide = planOf('MetadataBench', 'paired', 'published', ['stripeCount=-1']);
  expect(wide.issues.find(({ id }) => id === 'mdtest-wide-stripes')?.severity).toBe('warning');
  const four = withWords(planOf('CompressionBench', 'paired', 'published', ['iorVersion=4.0.0']), (words) =>
    words.map((word) => (word === 'random' ? 'incompressible' : word)),
  );
  expect(linted(four).map(({ id }) => id)).toContain('ior-incompressible-compresses');
});
