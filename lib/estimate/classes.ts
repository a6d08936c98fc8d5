const SIZES: readonly (readonly [number, string])[] = [
  [0, 'empty'],
  [4096, 'to 4 KiB'],
  [131_072, '4 to 128 KiB'],
  [1_048_576, '128 KiB to 1 MiB'],
  [16 * 2 ** 20, '1 to 16 MiB'],
  [2 ** 30, '16 MiB to 1 GiB'],
  [Number.POSITIVE_INFINITY, 'over 1 GiB'],
];

export const SIZE_CLASSES: readonly string[] = SIZES.map(([, name]) => name);

/** The class of a file's size: an index into SIZE_CLASSES. */
export const sizeClassOf = (bytes: number): number => SIZES.findIndex(([end]) => bytes <= end);

export const endOfSizeClass = (sizeClass: number): number => (SIZES[sizeClass] as readonly [number, string])[0];

/** Further types are counted together, to bound the memory. */
const MOST_TYPES = 1000;
const OTHER_TYPES = '(others)';

/** A file's type: its lower-case extension, `(none)`, or `(numbered)` as for output.000123. A long text, or one with spaces, is not an extension. */
function typeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || dot === name.length - 1) return '(none)';
  const ending = name.slice(dot + 1).toLowerCase();
  if (/^\d+$/.test(ending)) return '(numbered)';
  return /^[\w+~-]{1,16}$/.test(ending) ? ending : '(none)';
}

/** Names types, up to a maximum number. */
export class Types {
  readonly #known = new Set<string>();

  of(path: string): string {
    const type = typeOf(path);
    if (this.#known.has(type)) return type;
    if (this.#known.size >= MOST_TYPES) return OTHER_TYPES;
    this.#known.add(type);
    return type;
  }
}
