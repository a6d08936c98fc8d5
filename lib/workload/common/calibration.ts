import type { Pattern } from '../workload';

/** A percentage that a tool takes, and the ratio of LZ4 on what it then wrote, on records of 128 KiB and of 1 MiB. */
type Measured = readonly [percent: number, ratio: number, ratioOn1MiB: number];

/** A pattern of a tool with its percentage. */
interface PercentPattern extends Pattern {
  readonly percent: number;
}

/** Data of which a percentage sets the compressibility, by what was measured on them; nothing is interpolated. */
export class Calibration {
  /** The largest ratio of a plan's target. */
  readonly maxTarget = 8;

  constructor(
    /** Prefix of the patterns' ids. */
    private readonly tool: string,
    private readonly measured: readonly [Measured, ...Measured[]],
  ) {}

  /** The pattern nearest to a target ratio (by quotient), with its measured ratio as `expectedRatio`; `null` outside 1…8. */
  ofRatio(target: number): PercentPattern | null {
    if (!(target >= 1 && target <= this.maxTarget)) return null;
    const distance = (ratio: number): number => Math.abs(Math.log(ratio / target));
    return this.pattern(this.measured.reduce((best, next) => (distance(next[1]) < distance(best[1]) ? next : best)));
  }

  /** A pattern by its id in samples; `null` for one that was never measured. */
  known(id: string): PercentPattern | null {
    return this.measured.map((each) => this.pattern(each)).find((pattern) => pattern.id === id) ?? null;
  }

  private pattern([percent, expectedRatio, ratioOn1MiB]: Measured): PercentPattern {
    return { id: `${this.tool}-${percent}`, percent, expectedRatio, ratioOn1MiB };
  }
}
