/** The tools whose output `fsxbench parse` reads. */
export const TOOLS = ['ior', 'mdtest', 'fio', 'dd', 'du', 'compsize', 'unknown'] as const;
export type Tool = (typeof TOOLS)[number];

/** One figure as a tool printed it. Never computed: what is derived stands in `summary`. */
export interface ParsedSample {
  /** `write`, `read`, `file_create`, `dir_stat`, `tree_remove`, `randwrite`, `apparent`, `allocated` … (design: "Formats"). */
  readonly operation: string;
  /** Which test of the output: IOR's TestID, the position of a run in the file, fio's job name, a file of du. */
  readonly test: string | number | null;
  /** From 0, as IOR counts; `null` where the tool has no iterations. */
  readonly iteration: number | null;
  /** `throughput`, `rate`, `seconds`, `iops`, `bytes` … */
  readonly metric: string;
  /** `null` only with a `reason`. */
  readonly value: number | null;
  readonly unit: 'MiB/s' | 'MB/s' | 'op/s' | 's' | 'B' | '1';
  readonly reason?: string;
}

/** Statistics of the samples of one operation, test and metric: recomputed from the rows, never copied from a tool's summary. */
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
  readonly count: number;
}

/** What `fsxbench parse --json` prints for one file. Fields may be added, never renamed. */
export interface ParseDocument {
  readonly schema: 'fsxbench.parse/1';
  readonly file: string;
  readonly tool: Tool;
  readonly version: string | null;
  readonly command: string | null;
  /** Finish line, summary and every iteration are there. */
  readonly complete: boolean;
  /** No problem that makes the figures doubtful. */
  readonly valid: boolean;
  readonly problems: readonly string[];
  readonly cautions: readonly string[];
  readonly samples: readonly ParsedSample[];
  readonly summary: readonly ParsedSummary[];
}
