import type { By } from './plan';
import type { World } from './world';

/** Something that goes wrong in a run. */
export interface Fault {
  readonly id: string;
  /** For people: what, and when. */
  readonly what: string;
  /** Also without FSXBENCH_ALL. @default - in `npm test -- --all` only */
  readonly quick?: boolean;
  /** Tool that works on the arms. @default fio */
  readonly by?: By;
  /** Needs root: separate disks. @default false */
  readonly disks?: boolean;
  /** Needs the programs of the lab's MooseFS. @default false */
  readonly moosefs?: boolean;
  /** Needs FUSE for a slow disk. @default false */
  readonly fuse?: boolean;
  /** The results go to the S3 of the lab's emulator, not to one in memory. @default false */
  readonly emulated?: boolean;
  /** Before the driver starts. */
  readonly prepare?: (world: World) => void | Promise<void>;
  /** Makes it happen. `note` is called when it has happened, and before anything is done about it. */
  readonly inject: (world: World, note: () => void) => Promise<void>;
  /**
   * Text in the verdict of the report or, if the fault left the figures alone, in the driver's log; `null` if neither figures nor results changed,
   * and neither may mention it.
   */
  readonly says: RegExp | null;
}
