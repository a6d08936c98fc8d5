/** One figure as a tool printed it. Only dd's rate is computed, with its reason: what else is derived is in `summary`. */
export interface ParsedSample {
  /** `write`, `read`, `file_create`, `dir_stat`, `tree_remove`, `randwrite`, `apparent`, `allocated` … (design: "Formats"). */
  readonly operation: string;
  /** Test within the output: IOR's TestID, the position of a run in the file, fio's job name, a file of du. */
  readonly test: string | number | null;
  /** Number of the iteration from 0, as IOR counts; `null` if the tool has no iterations. */
  readonly iteration: number | null;
  /** `throughput`, `operations` (a second), `seconds`, `bytes` …: one word for each unit (design: "Formats"). */
  readonly metric: string;
  /** `null` only with a `reason`. */
  readonly value: number | null;
  readonly unit: 'MiB/s' | 'MB/s' | 'op/s' | 's' | 'B' | 'K' | 'K/decade' | '1';
  /** Why there is no value, or how a value was obtained that is more precise than the printed one (dd). */
  readonly reason?: string;
  /**
   * Bounds of a rounded figure: above `low` and at most `value` (du -h) or `high`. With `high` alone, digits are cut: at least `value`, below
   * `high`.
   */
  readonly low?: number;
  readonly high?: number;
}

/**
 * Statistics of one operation, test and metric. Recomputed from the samples (`basis: 'samples'`), because IOR's own are NaN after
 * `-T`; the tool's (`basis` says what over) are mdtest's, which prints nothing else without -v, and those of IOR 2.10.
 */
export interface ParsedSummary {
  readonly operation: string;
  readonly test: string | number | null;
  readonly metric: string;
  readonly unit: ParsedSample['unit'];
  readonly max: number | null;
  readonly min: number | null;
  readonly mean: number | null;
  /** Population standard deviation (÷ N), as IOR prints it. */
  readonly stddev: number | null;
  /** Number of values behind the statistics. */
  readonly count: number;
  /** `samples`, or the basis of mdtest's SUMMARY: `ranks x iterations` (3.3.0) or `iterations` (others); `sum of processes` for fio's processes. */
  readonly basis: 'samples' | 'ranks x iterations' | 'iterations' | 'sum of processes';
  /** Why a statistic is `null`. */
  readonly reason?: string;
}

/** Header of one test in a tool's output: needed to read its samples. */
export interface ParsedTest {
  /** Test, as in {@link ParsedSample.test}. */
  readonly test: string | number;
  readonly tool: string;
  readonly version: string | null;
  /** The command line that the tool itself printed. */
  readonly command: string | null;
  /** Printed start time, in the clients' local time. */
  readonly began: string | null;
  readonly finished: string | null;
  readonly repetitions: number | null;
  readonly tasks: number | null;
  readonly nodes: number | null;
  /** Bytes of one transfer and one block; exact where the tool prints bytes, else from its rounded text (`1.50 GiB`). */
  readonly transferBytes: number | null;
  readonly blockBytes: number | null;
  /** Bytes that all ranks move in one repetition, from rounded text. */
  readonly aggregateBytes: number | null;
  /** mdtest, smallfile: files or directories of all ranks or threads. */
  readonly items: number | null;
  /** The tool's own statistics of its bandwidth, as printed; `null` for NaN. */
  readonly printed: readonly PrintedSummary[];
  /** IOR with stoneWallingWearOut: how far the processes had come when the time was up. @default - not printed */
  readonly stonewall?: readonly StonewallReached[];
}

/** Transfers that the slowest and the fastest process had done when the time of a repetition was up. */
export interface StonewallReached {
  readonly operation: string;
  readonly iteration: number;
  readonly leastTransfers: number;
  readonly mostTransfers: number;
}

/** An IOR summary line: over the repetitions that it counted, skipped ones included. MiB/s, op/s (bandwidth ÷ transfer) and s. */
export type PrintedSummary = { readonly operation: string } & Readonly<
  Record<(typeof PRINTED_STATISTICS)[number], number | null>
>;
export const PRINTED_STATISTICS = [
  ...(['maxMiBps', 'minMiBps', 'meanMiBps', 'stddevMiBps'] as const),
  ...(['maxOps', 'minOps', 'meanOps', 'stddevOps', 'meanSeconds'] as const),
] as const;

/** Output of `fsxbench parse --json` for one file. Fields may be added, never renamed. */
export interface ParseDocument {
  readonly schema: 'fsxbench.parse/1';
  readonly file: string;
  /**
   * The tool's own result file next to the log `file`, if the log has no results or only rounded ones; `X.*.json` for several files.
   *
   * @default - they are in `file`
   */
  readonly figuresFrom?: string;
  /** The id of a tool (lib/workload/registry.ts), or `unknown`. */
  readonly tool: string;
  readonly version: string | null;
  readonly command: string | null;
  /** Finish line, summary and every iteration are there. */
  readonly complete: boolean;
  /** Why it is not complete if no problem explains it: a tool without an end marker, an unknown command. */
  readonly incompleteReason?: string;
  /** No problem that makes the figures doubtful. */
  readonly valid: boolean;
  readonly problems: readonly string[];
  readonly cautions: readonly string[];
  readonly samples: readonly ParsedSample[];
  readonly summary: readonly ParsedSummary[];
  readonly tests: readonly ParsedTest[];
}
