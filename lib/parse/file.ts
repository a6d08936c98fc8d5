import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { readBytes } from '../common/files';
import { grouped } from '../common/format/units';
import { linePieces, linesIn } from '../common/linePieces';
import {
  cleanLine,
  decoded,
  encodingOf,
  type Lines,
  type PartsOf,
  prefixesIn,
  splitLines,
  TooLarge,
} from '../workload/common/parse/lines';

/** Limits on what is held in memory, in bytes except for `figures`. */
export interface ReadBounds {
  /** The largest output that is read in one piece, if its format needs that. */
  readonly whole: number;
  /** A part of a larger one. Garbage of up to 64 KiB a piece goes with the next scavenge, which keeps the heap small. */
  readonly part: number;
  /** Bytes of a long line that are kept, and bytes read of its end. */
  readonly line: number;
  /** Values of one document. */
  readonly figures: number;
}

export const READ_BOUNDS: ReadBounds = { whole: 14e6, part: 2 ** 16, line: 2e6, figures: 200_000 };

const LF = 10;
/** Bytes of the beginning of a large output that show the prefixes of its lines. */
const SAMPLE = 2 ** 16;

function opened<T>(path: string, use: (file: number) => T): T {
  const file = openSync(path, 'r');
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/**
 * The lines of a file, read anew by each pass if larger than a part, never held in memory.
 * @param path or a pipe's descriptor, read once @throws TooLarge for a pipe with more than one piece may have
 */
export function linesOf(path: string | number, bounds: ReadBounds = READ_BOUNDS): Lines {
  // A pipe that is opened to look at it has lost what its writer wrote meanwhile.
  const kind = typeof path === 'number' ? fstatSync(path) : statSync(path);
  return typeof path === 'string' && kind.isFile() && kind.size > bounds.part && !isMarked(path)
    ? new LargeFile(path, kind.size, bounds)
    : splitLines(textOf(path, bounds));
}

/** True for a byte-order mark. In UTF-16 no single byte ends a line, so such a file is read in one piece. */
function isMarked(path: string): boolean {
  const mark = Buffer.alloc(3);
  opened(path, (file) => readSync(file, mark));
  return encodingOf(mark) !== null;
}

/** The text of a file or a pipe. @throws TooLarge if it has more than one piece may have */
export function textOf(path: string | number, { whole }: ReadBounds = READ_BOUNDS): string {
  try {
    return decoded(readBytes(path, whole));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { size } = typeof path === 'number' ? fstatSync(path) : statSync(path);
    const name = path === 0 ? 'standard input' : `${size > 0 ? '' : 'the pipe '}'${path}'`;
    throw new TooLarge(
      size > 0
        ? `${name} has ${megabytes(size)} of a form that is read in one piece, of at most ${megabytes(whole)}: cut it into its runs and parse each by itself`
        : `${name} has more than ${megabytes(whole)}: write it to a file and parse that`,
    );
  }
}

const megabytes = (size: number): string => `${grouped(size / 1e6, size < 1e7 ? 1 : 0)} MB`;

/** The lines of a file as it was when it was opened, even if it still grows. */
class LargeFile implements Lines {
  readonly end: Lines;
  readonly tail: string;
  private read: Lines | undefined;
  private readonly prefixes: ReturnType<typeof prefixesIn>;

  constructor(
    private readonly path: string,
    private readonly size: number,
    private readonly bounds: ReadBounds,
  ) {
    const from = Math.max(0, size - bounds.line);
    const last = Buffer.alloc(size - from);
    const first = Buffer.alloc(Math.min(size, SAMPLE));
    opened(path, (file) => {
      readSync(file, last, 0, last.length, from);
      readSync(file, first, 0, first.length, 0);
    });
    // Text after the first line end is whole.
    const end = last.toString('utf8', from === 0 ? 0 : last.indexOf(LF) + 1);
    this.prefixes = prefixesIn(first.toString(), end);
    this.end = splitLines(end, this.prefixes);
    this.tail = this.end.tail;
  }

  get text(): string {
    return this.whole.text;
  }

  get lines(): readonly string[] {
    return this.whole.lines;
  }

  get json(): unknown {
    const mayBe = this.size <= this.bounds.whole && this.end.text.trimEnd().endsWith('}');
    return mayBe ? this.whole.json : undefined;
  }

  /** Read when a format asks for it, and kept: it has at most {@link ReadBounds.whole} bytes. */
  private get whole(): Lines {
    this.read ??= splitLines(textOf(this.path, this.bounds), this.prefixes);
    return this.read;
  }

  *each(figures: readonly unknown[] = []): Generator<string> {
    for (const piece of this.pieces({ figures })) {
      const clean = cleanLine(piece, this.prefixes);
      if (piece.at(-1) === LF) for (const line of linesIn(piece)) yield clean(line);
    }
  }

  *parts(of: PartsOf = {}): Generator<Lines> {
    for (const piece of this.pieces(of)) yield splitLines(piece.toString(), this.prefixes);
  }

  private *pieces({ figures = [], longLines = false }: PartsOf): Generator<Buffer> {
    const file = openSync(this.path, 'r');
    try {
      const longest = longLines ? this.bounds.whole : this.bounds.line;
      for (const piece of linePieces(file, this.size, this.bounds.part, longest)) {
        yield piece;
        if (figures.length <= this.bounds.figures) continue;
        throw new TooLarge(
          `'${this.path}' (${megabytes(this.size)}) has more than ${grouped(this.bounds.figures)} values: cut it into its runs and parse each by itself`,
        );
      }
    } finally {
      closeSync(file);
    }
  }
}
