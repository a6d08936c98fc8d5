import { Stack } from 'aws-cdk-lib';
import { type Ceiling, ceilingsOf } from '../../../constructs/dashboard/graph';
import type { ArmView } from '../../construct';
import type { LustreConfiguration } from '../configuration';
import { metadataIopsAbove } from '../documented';
import { limitsOf, metadataIopsOf } from '../limits';
import { metadataTargetsOf } from '../servers';
import type { LustreFileSystem } from './fileSystem';
import type { PublishingLustre } from './metrics';

/** What is provisioned for metadata, as far as it is known. */
interface MetadataView {
  readonly provisionedIops: number;
  /** Names of the metadata targets that so many IOPS have. */
  readonly targets: readonly string[];
}

/** One file system as dashboards and alarms see it, whoever made it. */
export interface LustreView extends Pick<ArmView<PublishingLustre>, 'name' | 'storage' | 'colour'> {
  /** Documented ceilings, drawn into the graphs of throughput. */
  readonly ceilings: { readonly write: readonly Ceiling[]; readonly read: readonly Ceiling[] };
  /** `null` without a metadata configuration: AWS publishes no number then. */
  readonly metadata: MetadataView | null;
  /**
   * What its metadata IOPS can still be raised to, the least first: none without a metadata configuration, which cannot be added.
   * `null` where that is not known.
   */
  readonly metadataIopsAbove: readonly number[] | null;
}

/** An arm, with what its configuration says of ceilings and metadata. */
export function viewOf({ name, storage, colour }: ArmView<LustreFileSystem>): LustreView {
  const { configuration } = storage;
  const iops = metadataIopsOf(configuration);
  return {
    name,
    storage,
    colour,
    ceilings: serverCeilings(configuration, Stack.of(storage).region),
    metadata: metadataView(iops),
    metadataIopsAbove: iops === null ? [] : metadataIopsAbove(iops, configuration.storageType),
  };
}

/** What is provisioned for metadata; `null` where AWS names no number. */
export function metadataView(iops: number | null): MetadataView | null {
  return iops === null ? null : { provisionedIops: iops, targets: metadataTargetsOf(iops) };
}

/**
 * Metadata IOPS of one metadata server, and so of its target. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/dne-metadata-performance.html.
 */
const IOPS_PER_TARGET = 12_000;

/** What one metadata target of so many provisioned IOPS can do. */
export const iopsPerTarget = (provisionedIops: number): number => Math.min(IOPS_PER_TARGET, provisionedIops);

/** How limits are called on a graph. */
const NAMES = { disk: 'disks, sustained', server_network: 'network, sustained' };

/** What the servers promise without burst credits; how much of it clients can use depends on them. */
export function serverCeilings(configuration: LustreConfiguration, region: string): LustreView['ceilings'] {
  const of = (mode: 'write' | 'read') => ceilingsOf(limitsOf(configuration, { mode, region }), NAMES);
  return { write: of('write'), read: of('read') };
}
