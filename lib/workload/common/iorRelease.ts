import type { LintedTool } from './lint/rule';

/** IOR releases that the clients can build; only these have known patterns. mdtest is part of IOR and shares its version. */
export const IOR_VERSIONS = ['3.3.0', '4.0.0'] as const;

export type IorVersion = (typeof IOR_VERSIONS)[number];

/** A supported release; `undefined` for any other text. */
export const iorVersion = (text: string | null | undefined): IorVersion | undefined =>
  IOR_VERSIONS.find((version) => version === text);

/** The IOR and mdtest release that a plan uses. */
export const IOR_RELEASE = { parameter: 'iorVersion', versions: IOR_VERSIONS } as const;

/** Long IOR and mdtest options that also take their value from the next word, from their common library (`src/aiori-POSIX.c`). */
export const longWithValue = (name: string): boolean => /^(?:dataPacketType|posix\.lustre\.\w+)$/.test(name);

/** The release of a command, or that in a path such as `/opt/ior-4.0.0/bin/mdtest`; `undefined` if neither says it. */
export const releaseOf = ({ context, programWord }: LintedTool): string | undefined =>
  context.iorVersion ?? /(?:ior|mdtest)[-_]v?(\d+\.\d+\.\d+)(?:\/|$)/i.exec(programWord.value)?.[1];
