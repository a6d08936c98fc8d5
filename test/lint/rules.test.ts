import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCommand, lintCommand } from '../../lib/lint';
import { CASES, has, NEEDS, OTHERS } from './faults';

const LIB = join(__dirname, '../../lib');
const sourcesOf = (names: RegExp): string =>
  (readdirSync(LIB, { recursive: true }) as string[])
    .filter((name) => names.test(name))
    .map((name) => readFileSync(join(LIB, name), 'utf8'))
    .join('\n');
/** Sources of rules alone, in which every id is a rule's. */
const RULES = sourcesOf(/^lint\/rules\.ts$|^workload\/(?!common\/).*\blint\b.*\.ts$/);
/** Small tools have their rules in their only file. */
const TOOLS = sourcesOf(/^workload\/(?!common\/)[\w-]+\/.*\.ts$/);

test.each(CASES)('$id: `$faulty` but not `$sound`', ({ id, faulty, sound, context, otherContext }) => {
  expect(has(faulty, id, context)).toBeDefined();
  expect(has(sound, id, otherContext)).toBeUndefined();
});

test.each(CASES)('$id: the command suggested for `$faulty` does not have it', ({ id, faulty, context }) => {
  const suggestion = has(faulty, id, context)?.suggestion ?? '';
  expect(suggestion).not.toBe('');
  expect(has(suggestion, id, context)).toBeUndefined();
});

/** Rules about what only the user can know, or do outside of the command. */
const LEFT_TO_THE_USER = [
  ...['ior-pattern-depends-on-version', 'ior-caches-not-dropped', 'ior-incompressible-compresses'],
  ...['ior-small-transfer-repeats', 'ior-time-limit-cuts-repetitions', 'mdtest-stat-cached'],
  ...['mdtest-read-opens-only', 'phase-too-short', 'few-repeats'],
];

test.each(CASES)('$id: the command suggested for `$faulty` has no other fault either', ({ id, faulty, context }) => {
  const before = new Set(lintCommand(faulty, context).map((finding) => finding.id));
  const suggestion = has(faulty, id, context)?.suggestion ?? '';
  const added = lintCommand(suggestion, context).filter(
    ({ id: other, severity }) => severity !== 'note' && !before.has(other) && !LEFT_TO_THE_USER.includes(other),
  );
  expect(added).toEqual([]);
});

test.each(CASES)(
  '$id: following every suggestion from `$faulty` on ends with a clean command',
  ({ faulty, context }) => {
    const seen = new Set([faulty]);
    for (let command: string | undefined = faulty; command !== undefined; ) {
      const left: ReturnType<typeof lintCommand> = lintCommand(command, context);
      command = left.flatMap(({ suggestion }) => suggestion ?? []).find((one) => isCommand(one) && !seen.has(one));
      if (command === undefined) expect(left.filter(({ id }) => !LEFT_TO_THE_USER.includes(id))).toEqual([]);
      else seen.add(command);
      expect(seen.size).toBeLessThan(12);
    }
  },
);

test('every rule has a command here that it finds', () => {
  const ids = [
    ...RULES.matchAll(/\b(?:id: (?:zero \? )?|rule\(\s*)'([a-z0-9-]+)'(?: : '([a-z0-9-]+)')?/g),
    ...TOOLS.matchAll(/\b(?:rule\(|needing\(\{ id:)\s*'([a-z0-9-]+)'/g),
  ].flatMap(([, a, b]) => [a, b]);
  const shown = new Set([...CASES.map(({ id }) => id), ...[...OTHERS, ...NEEDS].map(([id]) => id)]);
  shown.add('mdtest-wide-stripes');
  const named = ids.filter((id) => id !== undefined && !shown.has(id));
  expect(ids.length).toBeGreaterThan(45);
  // A line of 100,000 characters, tried where odd input is.
  expect([...new Set(named)]).toEqual(['command-too-long']);
});

test.each(OTHERS)('%s: `%s` but not `%s`', (id, faulty, sound, iorVersion) => {
  expect(has(faulty, id, { iorVersion })).toBeDefined();
  expect(has(sound, id, { iorVersion })).toBeUndefined();
});

test('the version of IOR is read from the path of the program', () => {
  const found = (version: string) =>
    has(`mpirun -np 2 /opt/ior-${version}/bin/ior -w -l incompressible`, 'ior-incompressible-compresses');
  expect(found('3.3.0')).toBeUndefined();
  expect(found('4.0.0')).toBeDefined();
});
