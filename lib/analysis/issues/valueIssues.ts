import { firstThree } from '../../common/format/strings';
import { counted, plain, toMBps } from '../../common/format/units';
import { keyOf } from '../../common/keyOf';
import type { Issue } from '../../schema/issue';
import { betterOf } from '../../workload/lookup';
import type { Cell } from '../figures/cells';
import { mainRates } from '../figures/rates';
import type { Subject } from '../subject';

/** Values that are missing, or that no measurement gives. */
export const valueIssues = (subject: Subject): Issue[] =>
  [unitIssues, rateValueIssues, absentIssues, contradictions].flatMap((find) => find(subject));

/** Rates that cannot be read as such. */
function unitIssues({ cells }: Subject): Issue[] {
  return cells.flatMap((cell): Issue[] => {
    if (cell.metric !== 'throughput' || toMBps(1, cell.unit) !== null) return [];
    return [
      {
        id: 'unknown-unit',
        severity: 'error',
        message: `${cell.arm}, ${cell.operation}${ofTarget(cell.compressibility)}: throughput in ${cell.unit}, which cannot be compared with anything.`,
        expected: 'MB/s, MiB/s or another unit of bytes a second',
        actual: cell.unit,
        where: cell.arm,
      },
    ];
  });
}

/** Rates with values that are missing, or below zero. */
function rateValueIssues({ cells }: Subject): Issue[] {
  return mainRates(cells).flatMap((cell): Issue[] => {
    const without = cell.samples.filter(({ value }) => value === null);
    const wrong = rateIssues(cell);
    if (without.length === 0) return wrong;
    const none = cell.count === 0;
    // An arm that is lost takes nothing from a comparison of the others.
    const others = cells.filter(
      ({ operation, metric, compressibility, count }) =>
        operation === cell.operation && metric === cell.metric && compressibility === cell.compressibility && count > 0,
    );
    const lost = none && others.length >= 2;
    return [
      ...wrong,
      {
        id: none ? 'no-value' : 'missing-values',
        severity: none && !lost ? 'error' : 'warning',
        message: `${cell.arm}, ${cell.operation}${ofTarget(cell.compressibility)}: ${none ? 'no value at all' : `${without.length} of ${cell.samples.length} values ${without.length === 1 ? 'is' : 'are'} missing`}.`,
        expected: counted(cell.samples.length, 'value'),
        actual: `${cell.count}; ${[...new Set(without.map(({ reason }) => reason))].join('; ')}`,
        where: cell.arm,
      },
    ];
  });
}

/** A value below zero is a fault of what measured or of the file; nothing moved in a whole phase is hardly a rate. */
function rateIssues({ arm, operation, kind, compressibility, metric, unit, samples }: Cell): Issue[] {
  const timed = betterOf(kind.id, metric) === 'lower';
  const values = samples.flatMap(({ repeat, value }) => (value === null ? [] : [{ repeat, value }]));
  const of = (id: string, severity: Issue['severity'], words: string, found: typeof values): Issue[] =>
    found.length === 0
      ? []
      : [
          {
            id,
            severity,
            where: arm,
            message: `${arm}, ${operation}${ofTarget(compressibility)}: ${counted(found.length, 'value')} ${words}.`,
            expected: `${timed ? 'times' : 'rates'} above 0 ${unit}`,
            actual: firstThree(found.map(({ repeat, value }) => `${plain(value)} in repeat ${repeat}`)),
            suggestion: 'look into the raw output of these repeats',
          },
        ];
  const below = values.filter(({ value }) => value < 0);
  const still = values.filter(({ value }) => value === 0);
  const one = { below: below.length === 1 ? 'is' : 'are', still: still.length === 1 ? 'says' : 'say' };
  return [
    ...of('negative-rate', 'error', `${one.below} below zero`, below),
    ...of('nothing-moved', 'warning', `${one.still} that ${timed ? 'it took no time' : 'nothing moved'}`, still),
  ];
}

/** Measured steps that were done, by plan and status, and left nothing in samples.jsonl: a file that lost lines says so nowhere else. */
function absentIssues({ plan, samples, steps }: Subject): Issue[] {
  const sampled = new Set(samples.map(({ step, arm }) => keyOf(step, arm)));
  const reached = new Set(steps.filter(({ state }) => state !== 'not reached').map(({ id }) => id));
  const wanted = (plan?.steps ?? [])
    .filter(({ id, phase }) => phase === 'measure' && reached.has(id))
    .flatMap(({ id, compressibility, tasks }) =>
      tasks.flatMap(({ arm, action }) =>
        action.kind === 'workload' ? [{ id, compressibility, arm, operation: action.operation }] : [],
      ),
    );
  if (samples.length === 0) return [];
  const groups = Map.groupBy(wanted, ({ arm, operation, compressibility }) => keyOf(arm, operation, compressibility));
  return [...groups.values()].flatMap((group): Issue[] => {
    const absent = group.filter(({ id, arm }) => !sampled.has(keyOf(id, arm)));
    const [first] = absent;
    if (first === undefined) return [];
    const all = absent.length === group.length;
    return [
      {
        id: 'missing-samples',
        severity: all ? 'error' : 'warning',
        message: `${first.arm}, ${first.operation}${ofTarget(first.compressibility)}: ${all ? 'no sample of any' : `no sample of ${absent.length} of ${group.length}`} measured ${group.length === 1 ? 'step' : 'steps'} that the run did.`,
        expected: `samples of ${counted(group.length, 'step')}`,
        actual: `none of ${firstThree(absent.map(({ id }) => id))}`,
        suggestion:
          'bring samples.jsonl back from the results bucket; repeat the steps with `npx fsxbench run --resume`',
        where: first.arm,
      },
    ];
  });
}

/** Two values for one measurement: nobody knows which is right, and what is made of both is neither. */
function contradictions({ samples }: Subject): Issue[] {
  const measured = samples.filter(({ phase, source }) => phase === 'measure' && source === 'client');
  const groups = Map.groupBy(measured, ({ step, arm, attempt, operation, metric, iteration, fileBytes = null }) =>
    keyOf(step, arm, attempt, operation, metric, iteration, fileBytes),
  );
  const twice = [...groups.values()].filter(({ length }) => length > 1);
  const [first] = twice;
  if (first === undefined) return [];
  return [
    {
      id: 'contradicting-samples',
      severity: 'error',
      message: `samples.jsonl holds ${counted(twice.length, 'measurement')} more than once, each time as another sample.`,
      expected: 'one sample of each metric in an attempt of a step',
      actual: `${first.length} of ${first[0]?.metric} in ${first[0]?.step} on ${first[0]?.arm}`,
      suggestion: 'bring samples.jsonl back from the results bucket',
      where: firstThree([...new Set(twice.flatMap(([one]) => one?.step ?? []))]),
    },
  ];
}

const ofTarget = (compressibility: number | null): string =>
  compressibility === null ? '' : ` at ${compressibility}:1`;
