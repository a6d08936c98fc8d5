import type { Panel } from '../dashboard/graph';
import type { ModelLimits } from '../schema/model';
import type { StorageConfiguration } from '../schema/storage';

/** One arm as dashboards and alarms see it. */
export interface ShownArm<C extends StorageConfiguration = StorageConfiguration> {
  readonly name: string;
  /** Its kind of storage. */
  readonly kind: string;
  /** For people: `PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, LZ4`. */
  readonly description: string;
  readonly configuration: C;
  readonly region: string;
  /** Id of the resource in its service: `fs-…`. */
  readonly resourceId: string;
  /** Ids of the resources that publish its metrics. */
  readonly parts: readonly string[];
  /** Word that tells it from the others in CloudWatch expressions. */
  readonly key: string;
  /** Its colour on every graph. */
  readonly colour: string;
  /** List price; `null` when it is unknown. */
  readonly hourlyUsd: number | null;
  /** Limits of the scale model in its place. @default - the documented ones */
  readonly model?: ModelLimits[string] | undefined;
}

/** The part of a dashboard that a storage fills for its arms. */
export interface DashboardPart {
  /** Advice on reading the graphs, as lines of Markdown. */
  readonly reading: readonly string[];
  /** Rows of graphs, the most important ones first. */
  readonly rows: readonly (readonly Panel[])[];
  /** Rows of graphs that are seldom needed, shown below those of the clients. @default - nothing */
  readonly more?: readonly (readonly Panel[])[];
}
