/** A program below assets/ that makes a stand-in and takes it away: docs/extending.md says what it is given and has to keep. */
export interface StandInProgram {
  /** `lab/loop`, `storage/moosefs/lab/stand-in` */
  readonly path: string;
  /** Its own variables, next to those that every such program gets. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A real file system of this machine that the lab puts in the place of a configuration. */
export interface StandIn {
  /** `btrfs`: arms whose stand-ins are called alike fall back together, so that what is compared stays comparable. */
  readonly name: string;
  /** In notices: `Btrfs on loop devices`. */
  readonly label: string;
  /** Type of file system that the driver treats it as: one that some storage has (lib/storage/filesystem.ts). */
  readonly filesystem: string;
  /** Description for readers of the results: the real file system, and how it differs from what it stands for. */
  readonly actually: string;
  /** Number of copies that its disks store of what is written. @default once */
  readonly copies?: number;
  /**
   * Address of a MooseFS master in the stand-in's network namespace, whose interface `data` is the way of all clients: both count
   * what clients do. @default - no servers are apart from the clients
   */
  readonly master?: string;
  /** `null` for a plain directory, which needs nothing. */
  readonly program: StandInProgram | null;
}
