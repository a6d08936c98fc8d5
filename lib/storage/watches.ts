import { lustreWatch } from './lustre/watch';
import type { WatchStack } from './watch';

/** Stacks of storages for file systems that somebody else made; lib/constructs/storage/registry.ts makes them. */
export const WATCHES: readonly WatchStack[] = [lustreWatch];
