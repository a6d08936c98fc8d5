import type { Step } from '../schema/plan';

/** Time of a plan or a run, divided into what was measured and everything else. */
export interface RunTime {
  readonly seconds: number;
  /** Seconds of the phases whose figures count. */
  readonly measuredSeconds: number;
  /** Minutes of run for each measured minute; `null` for a plan without measurements. */
  readonly perMeasured: number | null;
  /** Everything else by its purpose, the longest first. */
  readonly others: readonly { readonly purpose: string; readonly seconds: number }[];
}

const PURPOSES: Readonly<Record<string, string>> = {
  'drop-caches': 'dropping caches',
  'make-directory': 'making directories',
  'verify-spread': 'counting directories by target',
  'measure-ratio': 'reading compression back',
  'measure-capacity': 'waiting for free space to settle',
  'remove-data': 'removing data',
};
const OF_PHASE: Readonly<Record<string, string>> = { 'warm-up': 'warming up', prepare: 'preparing data' };

/** The purpose of a step whose figures do not count; `null` for a measured one. */
function purposeOf({ phase, tasks }: Pick<Step, 'phase' | 'tasks'>): string | null {
  const action = tasks[0]?.action;
  if (action === undefined) return 'nothing';
  if (action.kind !== 'workload') return PURPOSES[action.kind] ?? action.kind;
  return phase === 'measure' ? null : (OF_PHASE[phase] ?? phase);
}

/**
 * Divides the time of steps, which run one after the other. @param secondsOf time of a step; `null` if it did not run
 * @param seconds time of the whole. @default - that of its steps together
 */
export function runTime(steps: readonly Step[], secondsOf: (step: Step) => number | null, seconds?: number): RunTime {
  const sums = new Map<string | null, number>();
  for (const step of steps) {
    const purpose = purposeOf(step);
    sums.set(purpose, (sums.get(purpose) ?? 0) + (secondsOf(step) ?? 0));
  }
  const inSteps = [...sums.values()].reduce((sum, one) => sum + one, 0);
  const whole = seconds ?? inSteps;
  const measuredSeconds = sums.get(null) ?? 0;
  sums.delete(null);
  if (whole > inSteps) sums.set('between steps', whole - inSteps);
  return {
    seconds: whole,
    measuredSeconds,
    perMeasured: measuredSeconds > 0 ? whole / measuredSeconds : null,
    others: [...sums]
      .flatMap(([purpose, own]) => (purpose === null || own === 0 ? [] : [{ purpose, seconds: own }]))
      .sort((a, b) => b.seconds - a.seconds),
  };
}
