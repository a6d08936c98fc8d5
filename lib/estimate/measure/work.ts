import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { makeRangeReader, type ReadRange } from '../source/s3';
import { isS3, rawPath, reasonOf } from '../source/survey';
import { BTRFS_LAYOUT, type BtrfsGeometry, btrfsMeter } from './btrfs';
import { Compressor } from './compressor';
import { Allocator, type FileLayout, type Geometry } from './geometry';
import { type Meter, measurePiece, type Piece, type PieceFigures, SHORTER } from './measure';

/** Target of an estimate: OpenZFS with one or more record sizes, the smallest first, or Btrfs. */
export type Target = { readonly zfs: readonly Geometry[] } | { readonly btrfs: BtrfsGeometry };

export const layoutsOf = (target: Target): readonly FileLayout[] =>
  'btrfs' in target ? [BTRFS_LAYOUT] : target.zfs.map((geometry) => new Allocator(geometry));

async function meterOf(target: Target): Promise<Meter> {
  if ('btrfs' in target) return btrfsMeter(target.btrfs);
  const allocators = target.zfs.map((geometry) => new Allocator(geometry));
  const compressor = new Compressor(Math.max(...target.zfs.map(({ recordBytes }) => recordBytes)));
  return (piece, read) => {
    const { only } = piece;
    return measurePiece(compressor, only === undefined ? allocators : allocators.slice(only, only + 1), piece, read);
  };
}

/** The outcome of a piece: its figures in each geometry, or the reason for their absence. */
export type PieceOutcome = readonly PieceFigures[] | string;

const FETCHES = 4;

/** Measures pieces; one per thread. */
export class Work {
  readonly #meter: Promise<Meter>;
  #readRange: ReadRange | undefined;

  constructor(target: Target) {
    this.#meter = meterOf(target);
  }

  /** Outcomes in the order of the pieces. Never rejects: what fails is an outcome. */
  async measure(pieces: readonly Piece[]): Promise<PieceOutcome[]> {
    const outcomes: PieceOutcome[] = [];
    const meter = await this.#meter;
    for (let at = 0; at < pieces.length; ) {
      const piece = pieces[at] as Piece;
      if (!isS3(piece.path)) {
        outcomes.push(local(meter, piece));
        at += 1;
        continue;
      }
      const some = pieces.slice(at, at + FETCHES).filter(({ path }) => isS3(path));
      outcomes.push(...(await Promise.all(some.map((each) => this.#remote(meter, each)))));
      at += some.length;
    }
    return outcomes;
  }

  async #remote(meter: Meter, piece: Piece): Promise<PieceOutcome> {
    try {
      this.#readRange ??= await makeRangeReader();
      const data = await this.#readRange(piece.path, piece.offset, piece.length);
      return meter(piece, (into, offset, length) => {
        const part = data.subarray(offset - piece.offset, offset - piece.offset + length);
        into.set(part);
        return part.length;
      });
    } catch (error) {
      return reasonOf(error);
    }
  }
}

function local(meter: Meter, piece: Piece): PieceOutcome {
  let file: number | undefined;
  try {
    // The file may have been replaced by a pipe: do not block on it.
    file = openSync(rawPath(piece.path), constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile()) return 'is no longer a regular file';
    if (stats.size < piece.fileBytes) return SHORTER;
    const descriptor = file;
    return meter(piece, (into, offset, length) => readSync(descriptor, into, 0, length, offset));
  } catch (error) {
    return reasonOf(error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
