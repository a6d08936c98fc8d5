import { commandLine, renderTable, singleLine } from '../../common/format/text';
import { counted, decimalBytes, detectable as detectableWords, plain } from '../../common/format/units';
import { FEWEST_FOR_AUTOCORRELATION, FEWEST_FOR_INTERIM } from '../../common/statistics';
import { runTime } from '../../plan/runTime';
import { type Issue, titleOf } from '../../schema/issue';
import { type Plan, precisionIn, type Step } from '../../schema/plan';
import { renderDuration } from './answer';

export function renderPlan(plan: Plan): string {
  const { benchmark, scale, arms, fleet, totals } = plan;
  const clients = `${counted(fleet.clients, 'client')}${fleet.instanceType ? ` (${fleet.instanceType})` : ''}`;
  const { bytesWritten, bytesReason, costUsd, costReason, costBasis = 'list prices' } = totals;
  const bytes = bytesWritten === null ? bytesReason : `at most ${decimalBytes(bytesWritten)} written and as much read`;
  const cost =
    costUsd === null ? `unknown: ${costReason}` : `${costUsd.toFixed(2)} USD while the plan runs, at ${costBasis}`;
  const head = [
    `${benchmark}, the ${plan.plan} plan at scale ${scale}`,
    '',
    ...arms.map((arm) => `  arm ${arm.name.padEnd(6)} ${arm.description}`),
    `  fleet      ${clients}, ${counted(fleet.ranksPerClient, 'process', 'processes')} each`,
    `  duration   about ${renderDuration(totals.expectedSeconds)} in ${plan.steps.length} steps`,
    ...measuringLine(plan),
    `  data       ${bytes}`,
    `  cost       ${cost}`,
    ...detectableLine(plan),
    ...stoppingLine(plan),
    '',
  ];
  const parameters = Object.entries(plan.parameters).map(
    ([key, value]) => `${key}=${Array.isArray(value) ? value.join(',') : value}`,
  );
  return `${head.join('\n')}\nparameters (--set): ${parameters.join(' ')}\n\n${renderSteps(plan.steps)}\n${renderIssues(plan.issues)}`;
}

/** The measured share of the time that is paid for, and the purposes of the rest. */
function measuringLine({ steps }: Plan): string[] {
  const { measuredSeconds, perMeasured, others } = runTime(steps, ({ expectedSeconds }) => expectedSeconds);
  if (perMeasured === null) return [];
  const rest = others.map(({ purpose, seconds }) => `${purpose} ${renderDuration(seconds)}`);
  return [
    `  measuring  ${renderDuration(measuredSeconds)} of it: ${perMeasured.toFixed(2)} minutes of run for each measured minute`,
    ...(rest.length === 0 ? [] : [`             other time: ${rest.join(', ')}`]),
  ];
}

/** The precision at which work gets no more repeats. */
function stoppingLine(plan: Plan): string[] {
  const limits = precisionIn(plan);
  if (limits === null) return [];
  const { precision, repeats } = limits;
  return [
    `  stops      work whose ratios are known to ± ${plain(precision * 100)} %, after ${FEWEST_FOR_INTERIM} to ${repeats} repeats: duration and cost are the most`,
  ];
}

/** The smallest difference that the plan can detect, known before any money is spent. */
function detectableLine({ detectable }: Plan): string[] {
  if (detectable === undefined) return [];
  const { comparisons, repeats, variation, systematic, difference, independence, apartSeconds } = detectable;
  const of = `${counted(comparisons, 'comparison')} of ${counted(repeats, 'pair')}`;
  if (difference === null || difference > 9) return [`  detects    nothing with certainty: ${of}`];
  const alike = systematic === undefined ? '' : ` and scale models are alike to within ${plain(systematic * 100)} %`;
  const spacing = apartSeconds === undefined ? '' : `, ${renderDuration(apartSeconds)} apart`;
  return [
    `  detects    differences of ${detectableWords(Math.round(difference * 100) / 100)} with 80 % power, if an arm's repeats vary by ${plain(variation * 100)} %${alike} (${of}${spacing})`,
    ...(independence === 'assumed'
      ? [
          `             if repeats do not depend on the ones before: ${FEWEST_FOR_AUTOCORRELATION} or more test that, and their intervals are wider for it: --set repeats=${FEWEST_FOR_AUTOCORRELATION}`,
        ]
      : []),
  ];
}

/** The steps of the first repeat; the other repeats are the same, with groups swapped if there are several. */
function renderSteps(steps: readonly Step[]): string {
  const shown = steps.filter((step) => step.repeat <= 1);
  const rows = shown.map((step) => [
    step.id,
    step.phase,
    renderDuration(step.expectedSeconds),
    step.tasks.map((task) => `${task.arm}:${task.group}`).join(' '),
    describeAction(step),
  ]);
  const more = steps.length - shown.length;
  return `${renderTable(['step', 'phase', 'expected', 'arm:group', 'what'], rows)}${more > 0 ? `… and ${more} steps in the other repeats\n` : ''}`;
}

function describeAction({ tasks: [task] }: Step): string {
  if (task?.action.kind === 'workload') return commandLine(task.action.command);
  return task?.action.kind.replaceAll('-', ' ') ?? '';
}

export function renderIssues(issues: readonly Issue[]): string {
  const order = ['error', 'warning', 'note'];
  const sorted = issues.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  const lines = sorted.flatMap(({ severity, id, message, expected, actual, suggestion, allowed = false }) => [
    `${severity}  ${titleOf(id)}  (${id}${allowed ? ', allowed' : ''})`,
    `  ${message}`,
    `  expected ${expected}, got ${actual}${suggestion ? `; ${suggestion}` : ''}`,
  ]);
  return lines.map((line) => `${singleLine(line)}\n`).join('');
}
