import { detectable as detectableWords } from '../kit/format/units';
import type { Issue } from '../schema/issue';
import type { Step } from '../schema/plan';
import { DATA_WORKLOADS, workloadOrNone } from '../workload/lookup';
import type { Check, Checked } from './checked';
import { commandIssues } from './commands';
import { detectableOf, repeatsThatFind, SUPPOSED_VARIATION } from './detectable';
import { meetsMaintenance } from './maintenance';

/** FSx publishes one point a minute; IO500 asks for 300 s for the same reason (facts-peers, section 1, 6). */
export const SECONDS_FOR_METRICS = 300;

const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(bytes < 2 ** 34 ? 1 : 0)} GiB`;

const measured = (steps: readonly Step[]): Step[] => steps.filter((step) => step.phase === 'measure');

export const phaseTooShort: Check = ({ steps }) => {
  const shortest = Math.min(...measured(steps).map((step) => step.expectedSeconds));
  if (!(shortest < SECONDS_FOR_METRICS)) return null;
  return {
    id: 'phase-too-short',
    severity: 'warning',
    message: 'Phases are too short for the service’s one-minute metrics to confirm what the clients measure.',
    expected: `at least ${SECONDS_FOR_METRICS} s`,
    actual: `${shortest} s`,
    suggestion: `--set seconds=${SECONDS_FOR_METRICS}`,
  };
};

const dataFitInMemory: Check = ({ parameters, fleet, arms, surroundings }) => {
  const { clientMemoryBytes, serverMemoryBytes = 0, documentedBytesPerSecond } = surroundings;
  const { maxMiBPerArm, seconds, simultaneous } = parameters;
  if (clientMemoryBytes === undefined || typeof maxMiBPerArm !== 'number' || typeof seconds !== 'number') return null;
  const clientsPerArm = simultaneous ? fleet.clients / arms.length : fleet.clients;
  const memory = clientsPerArm * clientMemoryBytes + serverMemoryBytes;
  const byTime = documentedBytesPerSecond === undefined ? Number.POSITIVE_INFINITY : documentedBytesPerSecond * seconds;
  const data = Math.min(maxMiBPerArm * 2 ** 20, byTime);
  if (data > memory) return null;
  return {
    id: 'data-fit-in-memory',
    severity: 'warning',
    message: 'An arm’s data fit into the memory of its clients and servers, so a read may be answered from a cache.',
    expected: `more than ${gib(memory)} (clients and servers)`,
    actual: `at most ${gib(data)} an arm`,
    suggestion: 'raise seconds and maxMiBPerArm; caches are dropped between write and read, but a server’s cannot be',
  };
};

const dataExceedCapacity: Check = ({ parameters, surroundings }) => {
  const { capacityBytes } = surroundings;
  const { maxMiBPerArm } = parameters;
  if (capacityBytes === undefined || typeof maxMiBPerArm !== 'number') return null;
  const data = maxMiBPerArm * 2 ** 20;
  if (data <= 0.8 * capacityBytes) return null;
  return {
    id: 'data-exceed-capacity',
    severity: 'error',
    message: 'Incompressible data of this size would fill the file system.',
    expected: `at most ${gib(0.8 * capacityBytes)} (80 % of the free space)`,
    actual: gib(data),
    suggestion: `--set maxMiBPerArm=${Math.floor((0.7 * capacityBytes) / 2 ** 20)}`,
  };
};

/** More than this a plan should not leave unseen. A convention of fsxbench. */
const COARSEST = 0.3;

export const fewRepeats: Check = ({ plan, parameters, steps, arms }) => {
  const repeats = plan === 'published' ? 1 : parameters.repeats;
  const detectable = detectableOf(steps, arms, parameters);
  if (typeof repeats !== 'number') return null;
  const difference = detectable?.difference ?? null;
  const blind = repeats < 3 || (difference !== null && difference > COARSEST);
  if (!blind) return null;
  const enough = detectable === null ? 5 : (repeatsThatFind(COARSEST, detectable.comparisons) ?? 5);
  return {
    id: 'few-repeats',
    severity: 'warning',
    message:
      repeats < 3
        ? 'With so few repeats the spread of a difference cannot be told from chance.'
        : 'With so few repeats only large differences between the arms can be told from chance.',
    expected:
      plan === 'published'
        ? 'at least 3 repeats'
        : `at least ${enough} repeats, which find ${COARSEST * 100} % four times in five if an arm varies by ${SUPPOSED_VARIATION * 100} %`,
    actual:
      difference === null || plan === 'published'
        ? String(repeats)
        : `${repeats}, which find ${detectableWords(Math.round(difference * 100) / 100)}`,
    ...(plan === 'published' ? {} : { suggestion: `--set repeats=${enough}` }),
  };
};

export const oversubscribed: Check = ({ fleet, parameters, surroundings }) => {
  const { ranksPerClient } = parameters;
  const { clientCpus } = surroundings;
  if (typeof ranksPerClient !== 'number' || clientCpus === undefined || ranksPerClient <= clientCpus) return null;
  return {
    id: 'oversubscribed-clients',
    severity: 'note',
    message: 'More processes than CPUs on a client: they wait for each other at barriers.',
    expected: `at most ${clientCpus} on ${fleet.instanceType ?? 'this machine'}`,
    actual: String(ranksPerClient),
  };
};

export const armsTakeTurns: Check = ({ parameters, fleet }) =>
  parameters.simultaneous === false && fleet.clients === 1
    ? {
        id: 'arms-take-turns',
        severity: 'note',
        message:
          'One client cannot be divided between the arms: they take turns, in an order that changes from repeat to repeat.',
        expected: 'both arms in the same minutes',
        actual: 'one after the other',
      }
    : null;

const mixedTools: Check = ({ steps }) => {
  const tools = new Set(
    measured(steps).flatMap((step) => step.tasks.map(({ action }) => (action.kind === 'workload' ? action.tool : ''))),
  );
  tools.delete('');
  if (tools.size < 2) return null;
  const inOrder = DATA_WORKLOADS.map(({ id }) => id).filter((id) => tools.has(id));
  const [first, last] = [inOrder[0] ?? '', inOrder.at(-1) ?? ''];
  const label = (id: string): string => workloadOrNone(id)?.label ?? id;
  return {
    id: 'tools-differ-between-targets',
    severity: 'note',
    message: `${label(first)} cannot write every target, so ${label(last)} writes the others. Compare arms within a target; between targets compare ratios only.`,
    expected: 'one tool on the whole axis',
    actual: [...tools].sort().join(' and '),
    suggestion: `--set tool=${last}`,
  };
};

export const inTheLab: Check = ({ surroundings }) =>
  surroundings.lab
    ? {
        id: 'lab-run',
        severity: 'note',
        message:
          'This run takes place in the lab: rates are those of local file systems and say nothing about Amazon FSx.',
        expected: 'FSx for Lustre',
        actual: 'local file systems on one machine',
      }
    : null;

const CHECKS: readonly Check[] = [
  phaseTooShort,
  dataFitInMemory,
  dataExceedCapacity,
  fewRepeats,
  oversubscribed,
  armsTakeTurns,
  mixedTools,
  meetsMaintenance,
  inTheLab,
];

/** What is wrong or unwise about a plan. An `error` keeps `run` from starting. */
export function planIssues(checked: Checked, checks: readonly Check[] = CHECKS): Issue[] {
  const found = checks.map((check) => check(checked)).filter((issue): issue is Issue => issue !== null);
  return [...found, ...commandIssues(checked)];
}
