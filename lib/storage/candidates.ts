import type { Warning } from '../common/violation';
import type { StorageConfiguration } from '../schema/deployment';

/** A requirement, as far as it decides which configurations to consider. */
export interface StorageNeed {
  /** TB (10^12 bytes) of data that must fit. @default - any capacity */
  readonly capacityTB?: number | undefined;
  /** True if data are read. @default false */
  readonly reads?: boolean | undefined;
  /** File creates or opens per second. @default - no requirement */
  readonly filesPerSecond?: number | undefined;
  /** Uncompressed ÷ compressed size. @default - compression is not considered, since its savings are unknown */
  readonly ratio?: number | undefined;
  /** GiB that is read repeatedly. @default - no cache hits, or all data if nothing else is documented */
  readonly workingSetGiB?: number | undefined;
  /** Client instances that share the load. @default - as many as it takes */
  readonly clients?: SharingClients | undefined;
}

/** Client instances, all of one type. */
export interface SharingClients {
  readonly count: number;
  readonly instanceType: string;
  /** True if they access the file system over EFA. @default false */
  readonly efa?: boolean;
}

export const dataGiB = ({ capacityTB = 0 }: Pick<StorageNeed, 'capacityTB'>): number => (capacityTB * 1e12) / 2 ** 30;

/** Configurations that differ only in size. A larger one is never slower. */
export interface Family<C extends StorageConfiguration = StorageConfiguration> {
  readonly sizes: number;
  /** The configuration of a size, numbered from 0, with all else that the need asks for at that size. */
  at(size: number): C;
  /** Larger sizes that may cost less than `size`, since their price includes more. @default - a larger one costs more */
  better?(size: number): readonly number[];
}

/** Files per second of storage without a documented metadata rate. */
export interface FilesPerSecond {
  /** As many as others measured, or as follow from what is documented. */
  readonly value: number;
  readonly source: string;
  /** More are impossible. @default - not known */
  readonly max?: { readonly value: number; readonly source: string };
}

export interface CandidatesCapability<C extends StorageConfiguration = StorageConfiguration> {
  /** Every kind that is sold, regardless of size; compressing ones only if the ratio is known. */
  families(need: StorageNeed): readonly Family[];
  /** Changes that make a configuration of the same size slower, if that is cheaper. @default - there is nothing */
  lesser?(configuration: C): Partial<C> | null;
  /** GiB that it holds before compression; `null` for as much as is stored. @default - `capacityBytes` of the storage */
  capacityGiB?(configuration: C): number | null;
  /** Small files take more than their size, as an estimate for Lustre counts it. @default false */
  readonly takesObjects?: boolean;
  /** Bytes that a file of this size takes on other storage, with what is stored per file. @default - its size */
  fileBytes?(bytes: number): number;
  /** GiB that is read repeatedly from such a file system. @default - as asked */
  workingSetGiB?(
    configuration: C,
    asked: { readonly workingSetGiB?: number | undefined; readonly dataGiB: number },
  ): number | undefined;
  /** Files per second that it opens or creates, if no metadata rate is documented for it. @default - nothing is known */
  filesPerSecond?(configuration: C): FilesPerSecond;
  /** True for a bucket: data are not loaded from S3 before work begins. @default false */
  readonly isInS3?: boolean;
  /** If AWS sells it in a Region; `undefined` if the kind is sold in all. @default - in all */
  soldIn?(configuration: C, region: string): { readonly met: boolean | null; readonly reason: string } | undefined;
  /** Codecs that Btrfs offers on the same disks, as its mount options name them. @default - there is no Btrfs */
  readonly btrfsCodecs?: readonly string[];
  /** Reasons not to keep data on it; it is ranked below those without caveats. @default - nothing */
  caveats?(configuration: C): readonly Warning[];
  /** The settings of the stacks that deploy it. */
  settings(configuration: C): Readonly<Record<string, string | number | boolean>>;
  /** In a line, with all that distinguishes it from other candidates. @default - `describe` of the storage */
  words?(configuration: C): string;
  /** Categories by which a chart colours candidates, in the order of its colours. */
  readonly series: readonly string[];
  /** One of the series; `null` for a configuration that is not a candidate. */
  seriesOf(configuration: C): string | null;
}
