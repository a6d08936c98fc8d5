import type { AnyConfiguration, StorageConfiguration } from '../schema/storage';
import type { Warning } from './slices/configuration';

/** Requirement on a file system, as far as it decides which configurations to consider. */
export interface StorageNeed {
  /** Sustained MB/s (10^6 bytes). @default - no read requirement */
  readonly readMBps?: number;
  /** TB (10^12 bytes) of data, as applications see them. @default - any capacity */
  readonly capacityTB?: number;
  /** Number of files that the data are. @default - not known: the data take their size */
  readonly files?: number;
  /** File creations per second. @default - no requirement */
  readonly createsPerSecond?: number;
  /** Uncompressed ÷ compressed size. @default - compression is not considered, since its savings are unknown */
  readonly ratio?: number;
  /** GiB that is read repeatedly. @default - no cache hits, or all data where nothing else is documented */
  readonly workingSetGiB?: number;
  /** Client instances that share the load. @default - as many as it takes */
  readonly clients?: SharingClients;
}

/** Client instances, all of one type. */
export interface SharingClients {
  readonly count: number;
  readonly instanceType: string;
  /** True if they access the file system over EFA. @default false */
  readonly efa?: boolean;
}

/** GiB of data, as applications see them. */
export const dataGiB = ({ capacityTB = 0 }: Pick<StorageNeed, 'capacityTB'>): number => (capacityTB * 1e12) / 2 ** 30;

/** Configurations that differ only in size. A larger one is never slower. */
export interface Family<C extends AnyConfiguration = AnyConfiguration> {
  /** Number of sizes. */
  readonly sizes: number;
  /** The configuration of a size, numbered from 0, with all else that the need asks for at that size. */
  at(size: number): C;
  /** Larger sizes that may cost less than `size`, since their price includes more. @default - a larger one costs more */
  better?(size: number): readonly number[];
}

/** The configurations that could be bought, for advice. */
export interface CandidatesCapability<C extends StorageConfiguration = StorageConfiguration> {
  /** Every kind that is sold, regardless of size; compressing ones only if the ratio is known. */
  families(need: StorageNeed): readonly Family[];
  /** Changes that make a configuration of the same size slower, if that is cheaper. @default - there is nothing */
  lesser?(configuration: C): Partial<C> | null;
  /** GiB that it holds before compression; `null` for as much as is stored. @default - `capacityBytes` of the storage */
  capacityGiB?(configuration: C): number | null;
  /** Small files take more than their size, as an estimate for Lustre counts it. @default false */
  readonly takesObjects?: boolean;
  /** Bytes that a file of so many takes on other storage, with what there is beside them for each file. @default - its size */
  fileBytes?(bytes: number): number;
  /** GiB that is read repeatedly from such a file system. @default - that of the need */
  workingSetGiB?(configuration: C, need: StorageNeed): number | undefined;
  /** Codecs that Btrfs offers on the same disks, as its mount options name them. @default - there is no Btrfs */
  readonly btrfsCodecs?: readonly string[];
  /** Warnings that speak against buying it; it is ranked below what has none. @default - nothing */
  caveats?(configuration: C): readonly Warning[];
  /** The settings of the stacks that deploy it. */
  settings(configuration: C): Readonly<Record<string, string | number | boolean>>;
  /** In a line, with all that tells it from other candidates. @default - `describe` of the storage */
  words?(configuration: C): string;
  /** Categories by which a chart colours candidates, in the order of its colours. */
  readonly series: readonly string[];
  /** One of the series; `null` for a configuration that is not a candidate. */
  seriesOf(configuration: C): string | null;
}
