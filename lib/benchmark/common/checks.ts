import { detectable as detectableWords } from '../../common/format/units';
import type { Issue } from '../../schema/issue';
import { SECONDS_FOR_METRICS } from '../../schema/metrics';
import type { Step } from '../../schema/plan';
import { publishesMetrics, storageOf } from '../../storage/lookup';
import type { Check, Checked } from '../plan';
import { commandIssues } from './commands';
import { detectableOf, repeatsThatFind, SUPPOSED_VARIATION } from './detectable';

/** A check whose issues have one id and severity; `judge` returns what it finds, or `null`. */
export const check =
  (
    id: string,
    severity: Issue['severity'],
    judge: (checked: Checked) => Omit<Issue, 'id' | 'severity'> | null,
  ): Check =>
  (checked) => {
    const found = judge(checked);
    return found && { id, severity, ...found };
  };

export const measured = (steps: readonly Step[]): Step[] => steps.filter((step) => step.phase === 'measure');

export const phaseTooShort = check('phase-too-short', 'warning', ({ arms, steps, surroundings }) => {
  // The lab publishes a point every few seconds.
  if (
    surroundings.lab ||
    surroundings.uncounted ||
    !arms.some(({ configuration }) => publishesMetrics(configuration ?? {}))
  )
    return null;
  const shortest = Math.min(...measured(steps).map((step) => step.expectedSeconds));
  if (!(shortest < SECONDS_FOR_METRICS)) return null;
  return {
    message: 'Phases are too short for the service’s one-minute metrics to confirm what the clients measure.',
    expected: `at least ${SECONDS_FOR_METRICS} s`,
    actual: `${shortest} s`,
    suggestion: `--set seconds=${SECONDS_FOR_METRICS}`,
  };
});

/** The coarsest acceptable minimum detectable difference. A convention of fsxbench. */
const COARSEST = 0.3;

const inPercent = (difference: number): string => detectableWords(Math.round(difference * 100) / 100);

export const fewRepeats = check('few-repeats', 'warning', ({ asStudied, parameters, steps, arms, surroundings }) => {
  const repeats = asStudied ? 1 : parameters.repeats;
  const { variation = SUPPOSED_VARIATION } = surroundings;
  const detectable = detectableOf(steps, arms, parameters, surroundings);
  // Nothing is compared with a single arm.
  if (typeof repeats !== 'number' || arms.length < 2) return null;
  const difference = detectable?.difference ?? null;
  const blind = repeats < 3 || (difference !== null && difference > COARSEST);
  if (!blind) return null;
  const enough = detectable === null ? 5 : (repeatsThatFind(COARSEST, detectable) ?? 5);
  const found = detectableOf(steps, arms, { ...parameters, repeats: enough }, surroundings)?.difference ?? COARSEST;
  return {
    message:
      repeats < 3
        ? 'With so few repeats a difference cannot be told from chance.'
        : 'With so few repeats only large differences between the arms are significant.',
    expected: asStudied
      ? 'at least 3 repeats'
      : `at least ${enough} repeats, which detect ${inPercent(found)} with 80 % power if an arm varies by ${variation * 100} %`,
    actual: difference === null || asStudied ? String(repeats) : `${repeats}, which detect ${inPercent(difference)}`,
    suggestion: asStudied ? undefined : `--set repeats=${enough}`,
  };
});

export const oversubscribed = check('oversubscribed-clients', 'note', ({ fleet, parameters, surroundings }) => {
  const { ranksPerClient } = parameters;
  const { clientCpus } = surroundings;
  if (typeof ranksPerClient !== 'number' || clientCpus === undefined || ranksPerClient <= clientCpus) return null;
  return {
    message: 'More processes than CPUs on a client: they delay each other at barriers.',
    expected: `at most ${clientCpus} on ${fleet.instanceType ?? 'this machine'}`,
    actual: String(ranksPerClient),
  };
});

export const armsTakeTurns = check('arms-take-turns', 'note', ({ parameters, fleet }) =>
  parameters.simultaneous === false && fleet.clients === 1
    ? {
        message:
          'One client cannot be divided between the arms: they take turns, in an order that changes after each repeat.',
        expected: 'all arms at the same time',
        actual: 'one after the other',
      }
    : null,
);

export const inTheLab = check('lab-run', 'note', ({ arms, surroundings }) => {
  if (!surroundings.lab) return null;
  const labels = arms.flatMap(({ configuration }) => (configuration ? [storageOf(configuration).label] : []));
  const expected = [...new Set(labels)].join(', ') || 'file systems of AWS';
  return {
    message: `This run takes place in the lab: its rates are those of one machine and say nothing about those of ${expected}.`,
    expected,
    actual: 'file systems of one machine',
  };
});

/** The issues of a plan. An `error` prevents `run` from starting. */
export function planIssues(checked: Checked, checks: readonly Check[]): Issue[] {
  const found = checks.map((check) => check(checked)).filter((issue): issue is Issue => issue !== null);
  return [...found, ...commandIssues(checked)];
}
