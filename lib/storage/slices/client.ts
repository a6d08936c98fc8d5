import type { FileRules } from '../../schema/fileRules';
import type { StorageConfiguration } from '../../schema/storage';
import type { Filesystem } from '../filesystem';

/** A storage as its clients have it: who can mount it, and how they work on it. */
export interface ClientSlice<C extends StorageConfiguration = StorageConfiguration> {
  /** Types of file systems that are worked on in its way; the first one is that which its clients mount. */
  readonly filesystems: readonly [Filesystem, ...Filesystem[]];
  /** Clients that can mount it at the same time. @default - as many as there are */
  mostClients?(configuration: C): number;
  /** Requirement that a client's type misses, to complete "'instanceType' must be"; `null` for one that will do. @default - any will */
  clientProblem?(configuration: C, instanceType: string): string | null;
  /** @default - programs find all that POSIX has */
  files?(configuration: C): FileRules;
  /** True where hardware of its servers is to compress: their program `offloaded` counts it (docs/extending.md). @default - processors do */
  offloads?(configuration: C): boolean;
}
