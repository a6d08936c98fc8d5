import type { Issue } from '../model/issue';
import type { RunRecord } from './record';
import type { StepSummary } from './steps';
import type { Cell } from './summary';
import { counted } from './units';

/**
 * The plan's issues, then what the run folder itself shows: files that cannot be read, an early end, values that are missing, codes
 * of the parsers. Judgements that need statistics or the service's counters are not made here.
 */
export function findIssues(
  record: RunRecord,
  cells: readonly Cell[],
  steps: readonly StepSummary[],
  superseded: number,
): Issue[] {
  return [
    ...(record.plan?.issues ?? []),
    ...readIssues(record),
    ...endIssues(record, steps),
    ...valueIssues(record, cells),
    ...stepIssues(steps),
    ...codeIssues(record),
    ...supersededIssue(superseded),
  ];
}

/** Files without which numbers can still be right, though less is known about them. */
const HELPFUL = /^(status\.json|metrics\/|environment\/|manifest\.json)/;

function readIssues({ problems }: RunRecord): Issue[] {
  return problems.map(({ file, message }) => ({
    id: 'run-file-unreadable',
    severity: HELPFUL.test(file) || file === 'samples.jsonl' ? 'warning' : 'error',
    message: `${file} ${message}.`,
    expected: 'a complete file',
    actual: message,
    where: file,
  }));
}

function endIssues({ status, samples }: RunRecord, steps: readonly StepSummary[]): Issue[] {
  const issues: Issue[] = [];
  if (samples.length === 0) {
    issues.push({
      id: 'no-samples',
      severity: 'error',
      message: 'The run holds no sample: nothing was measured.',
      expected: 'at least one sample',
      actual: status?.message ? `none; the driver said: ${status.message}` : 'none',
      suggestion: 'look into the driver’s log, then resume the run',
    });
  }
  const left = steps.filter(({ state }) => state === 'not reached').length;
  if (status !== null && status.state !== 'done' && status.state !== 'failed') {
    issues.push({
      id: 'run-incomplete',
      severity: 'warning',
      message: `The run is ${status.state}: ${counted(left, 'step')} of ${steps.length} were not reached.`,
      expected: 'state done',
      actual: `state ${status.state}, ${status.stepsDone} of ${status.stepsTotal} steps done`,
      suggestion: 'finish it with `fsxbench run --resume`, then make the report again',
    });
  }
  return issues;
}

function valueIssues({ plan }: RunRecord, cells: readonly Cell[]): Issue[] {
  const rates = cells.filter(({ unit }) => unit.endsWith('/s'));
  const broken = rates.flatMap((cell): Issue[] => {
    const without = cell.samples.filter(({ value }) => value === null);
    if (without.length === 0) return [];
    const none = cell.count === 0;
    return [
      {
        id: none ? 'no-value' : 'missing-values',
        severity: none ? 'error' : 'warning',
        message: `${cell.arm}, ${cell.operation}${ofTarget(cell.target)}: ${none ? 'no value at all' : `${without.length} of ${cell.samples.length} values are missing`}.`,
        expected: counted(cell.samples.length, 'value'),
        actual: `${cell.count}; ${[...new Set(without.map(({ reason }) => reason))].join('; ')}`,
        where: cell.arm,
      },
    ];
  });
  const repeats = new Set(rates.flatMap(({ samples }) => samples.map(({ repeat }) => repeat)));
  if (rates.length > 0 && repeats.size === 1 && plan?.plan !== 'published') {
    broken.push({
      id: 'single-repeat',
      severity: 'warning',
      message: 'Everything was measured once, so nothing is known about how much it varies.',
      expected: 'at least 2 repeats',
      actual: '1',
      suggestion: 'run more repeats',
    });
  }
  return broken;
}

/** Failures of steps that give no rate: those that prepare, or that read space back. */
function stepIssues(steps: readonly StepSummary[]): Issue[] {
  return steps
    .filter(({ state, phase }) => state === 'failed' && phase !== 'measure')
    .map(({ id, reasons }) => ({
      id: 'step-failed',
      severity: 'warning',
      message: `Step ${id} failed.`,
      expected: 'a value',
      actual: reasons.join('; ') || 'no reason was recorded',
      where: id,
    }));
}

/** One issue for each code that parsers or the driver put on samples that do have a value. */
function codeIssues({ samples }: RunRecord): Issue[] {
  const issues = new Map<string, { severity: Issue['severity']; steps: Set<string> }>();
  for (const { problems, cautions, value, step, phase } of samples) {
    if (phase === 'warm-up' || value === null) continue;
    const add = (code: string, severity: Issue['severity']): void => {
      const entry = issues.get(code) ?? { severity, steps: new Set() };
      entry.steps.add(step);
      issues.set(code, entry);
    };
    for (const code of problems) add(code, 'warning');
    for (const code of cautions) add(code, 'note');
  }
  return [...issues].map(([code, { severity, steps }]) => ({
    id: code,
    severity,
    message: `The tools’ output says “${code}” in ${counted(steps.size, 'step')}.`,
    expected: 'output without this code',
    actual: [...steps].slice(0, 3).join(', ') + (steps.size > 3 ? ', …' : ''),
  }));
}

function supersededIssue(count: number): Issue[] {
  if (count === 0) return [];
  return [
    {
      id: 'superseded-attempts',
      severity: 'note',
      message: `${counted(count, 'sample')} of earlier attempts ${count === 1 ? 'is' : 'are'} shown but not counted.`,
      expected: 'one attempt a step',
      actual: 'steps were done again after a failure or an interruption',
    },
  ];
}

function ofTarget(target: number | null): string {
  return target === null ? '' : ` at ${target}:1`;
}
