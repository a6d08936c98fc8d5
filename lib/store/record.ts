import type { ClientMetricsFile, MetricsFile } from '../schema/metrics';
import type { Plan } from '../schema/plan';
import type { Manifest, RunStatus } from '../schema/run';
import type { Sample } from '../schema/sample';

/** A file of the run folder that is missing or could not be read, in whole or in part. */
export interface ReadProblem {
  readonly file: string;
  readonly message: string;
}

/** A file of `raw/`, by its path from the run folder with `/` between names. */
export interface RawFile {
  readonly path: string;
  readonly bytes: number;
}

/** Everything that a run folder says. Absent files are `null` or empty, and named in `problems`. */
export interface RunRecord {
  readonly run: string;
  readonly plan: Plan | null;
  readonly manifest: Manifest | null;
  readonly status: RunStatus | null;
  /** In the order of the file: every attempt, superseded ones as well. */
  readonly samples: readonly Sample[];
  readonly metrics: readonly MetricsFile[];
  /** What EC2 published of the clients. @default - not collected, or the clients are no instances of EC2 */
  readonly clientMetrics?: ClientMetricsFile;
  /** What each node said about itself: `environment/<node>.json`, by node. */
  readonly environment: readonly { readonly node: string; readonly facts: Readonly<Record<string, unknown>> }[];
  readonly raw: readonly RawFile[];
  readonly problems: readonly ReadProblem[];
}

/**
 * Whether an emulator stood in for AWS. Where the manifest is lost, the plan says it: figures of local file systems must not pass for
 * those of Amazon FSx.
 */
export function isLab({ manifest, plan }: Pick<RunRecord, 'manifest' | 'plan'>): boolean {
  return manifest?.lab ?? plan?.issues.some(({ id }) => id === 'lab-run') ?? false;
}
