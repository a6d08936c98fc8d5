import { quantile } from 'simple-statistics';
import type { LowHigh } from '../../common/lowHigh';
import type { Step } from '../../schema/plan';
import type { RunStatus } from '../../schema/run';

/** Seconds that the open steps of a run will take; both ends meet as more steps of every kind are done. */
export type TimeLeft = LowHigh<number>;

/** Share by which a duration may differ while no step, or only one, of its kind is done. */
const UNSURE = 0.5;

/** Share of the plan that counts as done at its own pace: the first, short steps must not set the pace of the long ones. */
const PRIOR = 0.1;

/** The shortest time that a plan can expect of a step, seconds: nothing is divided by zero. */
const SHORTEST = 0.05;

/** Estimates the rest of a run from its plan and from how long steps of the same kind took. */
export class TimeLeftEstimate {
  private readonly ratios = new Map<string, number[]>();
  private expected = 0;
  private seconds = 0;

  /** @param plannedSeconds what the plan expects of all steps that are to be done */
  constructor(private readonly plannedSeconds: number) {}

  /** Counts a step that is done. */
  spent(step: Step, seconds: number): void {
    const expected = expectedOf(step);
    const kind = kindOf(step);
    this.ratios.set(kind, [...(this.ratios.get(kind) ?? []), seconds / expected]);
    this.expected += expected;
    this.seconds += seconds;
  }

  /** @param within seconds spent in the first of the open steps */
  of(open: readonly Step[], within = 0): TimeLeft {
    let [low, high] = [0, 0];
    for (const [index, step] of open.entries()) {
      const [least, most] = this.ratioOf(step);
      const already = index === 0 ? within : 0;
      low += Math.max(0, expectedOf(step) * least - already);
      high += Math.max(0, expectedOf(step) * most - already);
    }
    return { low, high };
  }

  /** Quartiles of real ÷ expected seconds of steps of this kind; where hardly any is done, those of all steps count as well. */
  private ratioOf(step: Step): [low: number, high: number] {
    const seen = this.ratios.get(kindOf(step)) ?? [];
    if (seen.length > 1) return [quantile(seen, 0.25), quantile(seen, 0.75)];
    const prior = PRIOR * this.plannedSeconds;
    const pace = (this.seconds + prior) / Math.max(SHORTEST, this.expected + prior);
    const known = [seen[0] ?? 1, pace];
    return [Math.min(...known) * (1 - UNSURE), Math.max(...known) * (1 + UNSURE)];
  }
}

const expectedOf = ({ expectedSeconds }: Step): number => Math.max(SHORTEST, expectedSeconds);

/** Steps of a kind do the same on arms, targets and repeats. */
function kindOf({ phase, tasks }: Step): string {
  const actions = tasks.map(({ action }) => `${action.kind} ${'operation' in action ? action.operation : ''}`);
  return [phase, ...new Set(actions)].join(' ');
}

/** Converts an estimate to the whole seconds of the status. */
export const etaOf = ({ low, high }: TimeLeft): Pick<RunStatus, 'etaSeconds' | 'etaLowSeconds' | 'etaHighSeconds'> => ({
  etaSeconds: Math.round((low + high) / 2),
  etaLowSeconds: Math.floor(low),
  etaHighSeconds: Math.ceil(high),
});
