/** Long options of IOR and mdtest that take their value from the next word, too: those of their common library (`src/aiori-POSIX.c`). */
export const longWithValue = (name: string): boolean => /^(?:dataPacketType|posix\.lustre\.\w+)$/.test(name);

/** The version in a path such as `/opt/ior-4.0.0/bin/mdtest`: IOR and mdtest are one release. */
export const RELEASE_IN_PATH = /(?:ior|mdtest)[-_]v?(\d+\.\d+\.\d+)(?:\/|$)/i;
