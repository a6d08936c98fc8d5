import type { NodeEnvironment } from '../schema/environment';
import type { ClientMetricsFile, MetricsFile } from '../schema/metrics';
import type { Plan } from '../schema/plan';
import type { Manifest, RunStatus } from '../schema/run';
import type { Sample } from '../schema/sample';

/** A file of the run folder that is missing, or wholly or partly unreadable. */
export interface ReadProblem {
  readonly file: string;
  readonly message: string;
}

/** A file of `raw/`, by its path relative to the run folder, with `/` as separator. */
export interface RawFile {
  readonly path: string;
  readonly bytes: number;
}

/** The content of a run folder. Missing files are `null` or empty, and named in `problems`. */
export interface RunRecord {
  readonly run: string;
  readonly plan: Plan | null;
  readonly manifest: Manifest | null;
  readonly status: RunStatus | null;
  /** In file order: every attempt, including superseded ones. */
  readonly samples: readonly Sample[];
  readonly metrics: readonly MetricsFile[];
  /** EC2's metrics of the clients. @default - not collected, or the clients are no EC2 instances */
  readonly clientMetrics?: ClientMetricsFile;
  /** Description of each node, `environment/<node>.json`, by node. */
  readonly environment: readonly { readonly node: string; readonly facts: NodeEnvironment }[];
  readonly raw: readonly RawFile[];
  readonly problems: readonly ReadProblem[];
}
