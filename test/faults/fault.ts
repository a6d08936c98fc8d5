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
  /** Needs root: disks of its own. @default false */
  readonly disks?: boolean;
  /** Needs what the lab needs for a MooseFS. @default false */
  readonly moosefs?: boolean;
  /** Needs FUSE for a slow disk. @default false */
  readonly fuse?: boolean;
  /** The results go to the S3 of the lab's emulator, not to one in memory. @default false */
  readonly emulated?: boolean;
  /** Before the driver starts. */
  readonly prepare?: (world: World) => void;
  /** Makes it happen. `note` is called when it has happened, and before anything is done about it. */
  readonly inject: (world: World, note: () => void) => Promise<void>;
  /**
   * Text that must be in the verdict of the report or, where the fault left the figures alone, in the driver's log; `null` where neither may say a word, since
   * neither figures nor results were touched.
   */
  readonly says: RegExp | null;
}
