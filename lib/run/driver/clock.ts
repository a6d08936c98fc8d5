import { duration } from '../../common/format/units';

/** The clocks of this computer: the wall clock, which can be set, and a steady one. Tests replace them. */
export interface Clocks {
  /** Milliseconds since 1970, a label. */
  readonly wall: () => number;
  readonly steady: () => number;
}

export const CLOCKS: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/** Times a piece of work: when it began by the wall clock, and how long it took by the other, which no correction of the time moves. */
export function stopwatch({ wall, steady }: Clocks = CLOCKS) {
  const [label, began] = [wall(), steady()];
  return {
    startedAt: new Date(label),
    seconds: (): number => (steady() - began) / 1000,
    /** End time on the wall clock, disregarding changes to it since the start. */
    endedAt: (): Date => new Date(label + steady() - began),
  };
}

/** Smaller corrections of a clock are normal. */
const LEAST_JUMP_SECONDS = 5;

/** Detects that the clock was set, or that the driver was stalled. */
export class DisturbanceDetector {
  private last: Readonly<Record<keyof Clocks, number>>;

  /** @param patience seconds between two checks that are normal */
  constructor(
    private readonly patience: number,
    private readonly clocks: Clocks,
  ) {
    this.last = this.now();
  }

  private now(): typeof this.last {
    return { wall: this.clocks.wall(), steady: this.clocks.steady() };
  }

  /** Disturbances since the last check. */
  check(): { readonly kind: 'stopped' | 'clock'; readonly message: string }[] {
    const now = this.now();
    const passed = (now.steady - this.last.steady) / 1000;
    const jump = (now.wall - this.last.wall) / 1000 - passed;
    this.last = now;
    const stall = `the driver was stalled for ${duration(passed)}, because it was stopped or the computer was overloaded`;
    const step =
      jump > 0
        ? `the clock went forward by ${duration(jump)}, because it was set or the computer was suspended`
        : `the clock was set back by ${duration(-jump)}`;
    return [
      ...(passed > this.patience ? [{ kind: 'stopped' as const, message: stall }] : []),
      ...(Math.abs(jump) > LEAST_JUMP_SECONDS ? [{ kind: 'clock' as const, message: step }] : []),
    ];
  }
}
