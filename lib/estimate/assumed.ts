/** Checks the options of an estimate and fills in the defaults. */
import { bytes } from '../common/format/units';
import { CODECS, EXTENT_BYTES, isCodec, SECTOR_BYTES } from './measure/btrfs';
import type { Target } from './measure/work';
import {
  DEFAULT_RECORDS,
  DEFAULT_SECTOR,
  DEFAULT_STRIPE_COUNT,
  type EstimateOptions,
  ON_WORDS,
  STORED_ON,
  type StoredOn,
} from './options';
import type { Estimate } from './result';

/** Target of an estimate, and the assumptions that its result states. */
export interface Assumed {
  readonly target: Target;
  /** Record sizes of the result, and which of the layouts is the first of them. */
  readonly records: readonly number[];
  readonly first: number;
  readonly described: Pick<
    Estimate,
    'assumption' | 'uncompressedAssumption' | 'sectorBytes' | 'raidz' | 'on' | 'codec' | 'stripeCount'
  >;
}

/** FSx's guide says what LZ4 does, and nothing of NONE: https://docs.aws.amazon.com/fsx/latest/LustreGuide/data-compression.html. */
const UNCOMPRESSED_ON_LUSTRE =
  'Amazon does not document how FSx for Lustre stores files without compression. The upper bound is Lustre on OpenZFS, which fills the last block ' +
  'with zeros up to a power of two or to the record; the lower bound is the same without these zeros';

/** The record size that samples of larger records also read. */
const HELPER_RECORD = 131_072;

/** @throws Error naming the option, its range and what was given */
export function assumedOf(options: EstimateOptions): Assumed {
  const { on = 'lustre' } = options;
  if (!STORED_ON.includes(on)) throw new Error(`'on' must be ${ON_WORDS}, got '${on}'`);
  return on === 'btrfs' ? onBtrfs(options) : onZfs(options, on);
}

function onZfs(options: EstimateOptions, on: Exclude<StoredOn, 'btrfs'>): Assumed {
  const { recordBytes = DEFAULT_RECORDS, sectorBytes = DEFAULT_SECTOR, raidz, sample } = options;
  if (options.codec !== undefined)
    throw new Error(`'codec' needs 'on' btrfs, since ${on} has LZ4, got '${options.codec}'`);
  if (on === 'zfs' && options.stripeCount !== undefined)
    throw new Error(
      `'stripe-count' cannot be combined with 'on' zfs, whose files are one object, got ${options.stripeCount}`,
    );
  const stripeCount = on === 'zfs' ? undefined : (options.stripeCount ?? DEFAULT_STRIPE_COUNT);
  // The smallest first: samples are drawn by it, and it is the conservative bound.
  const records = [...new Set(recordBytes)].sort((a, b) => a - b);
  if (records.length === 0) throw new Error("'record' must be a size such as 128K, got none");
  // Samples consist of small records, with a few larger ones to measure their effect: add a small size if necessary.
  const helper = sample !== undefined && (records[0] as number) > HELPER_RECORD ? [HELPER_RECORD] : [];
  const zfs = [...helper, ...records].map((record) => ({ recordBytes: record, sectorBytes, raidz, stripeCount }));
  return {
    target: { zfs },
    records,
    first: helper.length,
    described: {
      assumption: assumptionOf(records, stripeCount),
      sectorBytes,
      raidz: raidz ?? null,
      on,
      uncompressedAssumption: on === 'zfs' ? null : UNCOMPRESSED_ON_LUSTRE,
      codec: 'lz4',
      stripeCount: stripeCount ?? null,
    },
  };
}

function onBtrfs({ codec, ...options }: EstimateOptions): Assumed {
  if (codec === undefined || !isCodec(codec)) throw new Error(`'codec' must be ${CODECS}, got ${codec ?? 'none'}`);
  const { recordBytes, sectorBytes = SECTOR_BYTES, raidz, stripeCount, exact } = options;
  const fixed = { record: recordBytes, raidz, 'stripe-count': stripeCount, exact: exact || undefined };
  const [foreign] = Object.entries(fixed).filter(([, value]) => value !== undefined);
  if (foreign !== undefined)
    throw new Error(`'${foreign[0]}' cannot be combined with 'on' btrfs, whose extents are 128 KiB: leave it out`);
  if (sectorBytes !== SECTOR_BYTES)
    throw new Error(`'sector' must be ${SECTOR_BYTES} with 'on' btrfs, got ${sectorBytes}`);
  return {
    target: { btrfs: { codec } },
    records: [EXTENT_BYTES],
    first: 0,
    described: {
      assumption:
        `This estimate is for Btrfs of Linux 6.18, mounted with compress-force=${codec}, in extents of ${bytes(EXTENT_BYTES)}; files are written ` +
        'from beginning to end, through the page cache',
      uncompressedAssumption: null,
      sectorBytes,
      raidz: null,
      on: 'btrfs',
      codec,
      stripeCount: null,
    },
  };
}

function assumptionOf(records: readonly number[], stripeCount: number | undefined): string {
  const sizes = records.map(bytes);
  const bounded = sizes.length > 1 ? `, taken as the bounds` : '';
  const objects =
    stripeCount === undefined
      ? ', each file one ZFS object'
      : `, in ${stripeCount === 1 ? 'one Lustre object' : `${stripeCount} Lustre objects`} for each file`;
  return (
    `Amazon does not publish how FSx for Lustre stores data: this estimate assumes OpenZFS's LZ4 on independent records of ` +
    `${sizes.join(' and of ')}${bounded}${objects}`
  );
}
