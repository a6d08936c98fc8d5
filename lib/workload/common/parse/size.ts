const UNITS: Readonly<Record<string, number>> = {
  bytes: 1,
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  PiB: 2 ** 50,
};

/** Parses a size as IOR prints it: `131072 bytes`, `1 MiB`, `1.50 GiB` (rounded by IOR). `null` for anything else. */
export function bytesOf(text: string | undefined): number | null {
  const match = /^(\d+(?:\.\d+)?) (bytes|[KMGTP]iB|B)$/.exec(text?.trim() ?? '');
  return match ? Math.round(Number(match[1]) * (UNITS[match[2] as string] as number)) : null;
}
