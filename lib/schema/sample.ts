import type { Phase } from './plan';

/** Where a value comes from: `client`, `driver`, or what a file system's space was read with: `du`, `compsize`, `lfs df`, `statfs` … */
export type SampleSource = string;

/** One raw measured value: a line of `samples.jsonl`. Append-only; a failure is a sample whose value is `null`. */
export interface Sample {
  readonly schema: 'fsxbench.sample/1';
  readonly run: string;
  readonly arm: string;
  readonly step: string;
  readonly phase: Phase;
  readonly repeat: number;
  /** From 1; a step that is done again after a failure counts on. The highest attempt is the one that counts. */
  readonly attempt: number;
  /** Compressibility target, `null` where it does not apply. */
  readonly target: number | null;
  /** Size of each file where files are the workload. @default - does not apply */
  readonly fileBytes?: number;
  readonly operation: string;
  readonly metric: string;
  readonly value: number | null;
  /** Why there is no value. Present exactly when `value` is `null`. */
  readonly reason?: string;
  readonly unit: string;
  /** The tool's own iteration, from 0. */
  readonly iteration: number | null;
  readonly source: SampleSource;
  readonly tool: string | null;
  readonly toolVersion: string | null;
  readonly pattern: string | null;
  readonly group: string;
  readonly clients: number;
  /** Processes by the tool's own count; `null` where it printed none. Runs of older versions have the planned number here. */
  readonly ranks: number | null;
  /** Processes that were to be started. @default - a run of an older version */
  readonly plannedRanks?: number | null;
  /** Machines by the tool's own count; `null` where it printed none. @default - a run of an older version */
  readonly nodes?: number | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** The raw output below the run's folder, without ending: `raw/lz4/measure/1-c1.65-write`. */
  readonly raw: string | null;
  /** Codes of the parser, and of the driver's own checks. */
  readonly problems: readonly string[];
  readonly cautions: readonly string[];
}
