import { type Ceiling, colourOf, type ShownArm } from '../../../dashboard/graph';
import { ceilingsOf } from '../../common/graphs';
import type { LustreConfiguration, LustreStorage } from '../configuration';
import { metadataIopsAbove, metadataIopsOf } from '../documented';
import { limitsOf } from '../limits';
import { isPublished, type LustreMetricName, metricInfo } from '../metricTable';
import { METADATA_IOPS_PER_MDS, metadataTargetsOf } from '../servers';
import type { MetricSource } from './expressions';

/** One file system as dashboards and alarms see it, whoever made it. */
export interface LustreView extends Pick<ShownArm, 'name' | 'colour' | 'model'>, MetricSource {
  /** Documented ceilings, drawn into the graphs of throughput. */
  readonly ceilings: { readonly write: readonly Ceiling[]; readonly read: readonly Ceiling[] };
  /** Provisioned IOPS and the metadata targets that so many have; `null` without a metadata configuration: AWS publishes no number then. */
  readonly metadata: { readonly provisionedIops: number; readonly targets: readonly string[] } | null;
  /** Higher metadata IOPS that it can get, ascending; `null` if unknown. None without a metadata configuration, which cannot be added. */
  readonly metadataIopsAbove: readonly number[] | null;
  /** True if FSx publishes a metric for it: a graph without such an arm would stay empty. */
  publishes(metric: LustreMetricName): boolean;
}

export interface KnownFileSystem extends MetricSource {
  /** @default - not known: every metric is shown, and no documented ceiling */
  readonly configuration?: LustreConfiguration | undefined;
  /** Metadata IOPS provisioned, in operations per second; `null` without a metadata configuration. @default - not known */
  readonly metadataIops?: number | null | undefined;
}

/** An arm, with what its configuration says of ceilings and metadata. */
export const viewOf = (arm: ShownArm<LustreStorage>): LustreView => {
  const { name, configuration, region, colour, model, resourceId: fileSystemId, key } = arm;
  const metadataIops = metadataIopsOf(configuration);
  return { ...viewOfFileSystem({ fileSystemId, key, configuration, metadataIops }, name, region), colour, model };
};

/** A file system by itself, with what is known of it. */
export function viewOfFileSystem(fileSystem: KnownFileSystem, name: string, region: string): LustreView {
  const { fileSystemId, key, configuration, metadataIops } = fileSystem;
  return {
    name,
    fileSystemId,
    key,
    colour: colourOf(0),
    // A dashboard of a file system of which only the id is known shows what any may have.
    publishes: (metric) => configuration === undefined || isPublished(metricInfo(metric), configuration),
    ceilings: configuration === undefined ? { write: [], read: [] } : serverCeilings(configuration, region),
    metadata: metadataIops == null ? null : { provisionedIops: metadataIops, targets: metadataTargetsOf(metadataIops) },
    metadataIopsAbove: iopsAbove(metadataIops),
  };
}

/** Levels above provisioned IOPS; `null` if it is not known whether there are any. */
function iopsAbove(iops: number | null | undefined): LustreView['metadataIopsAbove'] {
  if (iops === undefined) return null;
  return iops === null ? [] : metadataIopsAbove(iops);
}

/** Capacity of one metadata target at these IOPS, or of a scale model's disk. If unknown: a target's maximum, from 12,000 GiB with AUTOMATIC. */
export const iopsPerTarget = (provisionedIops: number | null | undefined, model?: LustreView['model']): number =>
  model?.metadataIops ?? Math.min(METADATA_IOPS_PER_MDS, provisionedIops ?? METADATA_IOPS_PER_MDS);

/** Names of the limits on a graph. */
const NAMES = { disk: 'disks, sustained', server_network: 'network, sustained' };

/** Baselines of the servers, without burst credits; the clients decide how much of them can be used. */
function serverCeilings(configuration: LustreConfiguration, region: string): LustreView['ceilings'] {
  const of = (mode: 'write' | 'read') => ceilingsOf(limitsOf(configuration, { mode, region }), NAMES);
  return { write: of('write'), read: of('read') };
}
