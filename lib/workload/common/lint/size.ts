const BINARY: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Parses a whole number; `null` for anything else, such as a variable. */
export const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : null;

/** Parses a size as IOR and fio do: `1m`, `16M`, `4096`, with binary units. `null` for anything else. */
export function binarySize(text: string | undefined): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,6})?)([kmgt])?(?:i?b)?$/i.exec(text ?? '');
  return match ? Number(match[1]) * (BINARY[(match[2] ?? '').toLowerCase()] ?? 1) : null;
}

/** Parses a size as dd and head do: `M` is 2^20, `MB` is 10^6. `null` for anything else. */
export function coreutilsSize(text: string | undefined): number | null {
  const match = /^(\d{1,12})(?:([kKMGT])(iB|B)?|c|b|w)?$/.exec(text ?? '');
  if (!match) return null;
  const count = Number(match[1]);
  if (match[2] === undefined) return /b$/.test(text ?? '') ? count * 512 : /w$/.test(text ?? '') ? count * 2 : count;
  const power = 'KMGT'.indexOf(match[2].toUpperCase()) + 1;
  return count * (match[3] === 'B' ? 1000 : 1024) ** power;
}

/** A size as IOR and fio take it: `16m`, `4k`, `4095`. */
export const shortSize = (bytes: number): string =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20}m` : bytes % 1024 === 0 ? `${bytes / 1024}k` : `${bytes}`;

/** `4.5 GiB`, `120 MiB`. */
export function humanBytes(bytes: number): string {
  for (const [unit, size] of [
    ['TiB', 2 ** 40],
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytes >= size) return `${Number((bytes / size).toPrecision(3))} ${unit}`;
  }
  return `${bytes} B`;
}
