import { lustreWatch } from './lustre/watch';
import type { WatchStack } from './watch';

/** Stacks of storages for file systems that somebody else made; lib/storage/constructs.ts makes them. */
export const WATCHES: readonly WatchStack[] = [lustreWatch];
