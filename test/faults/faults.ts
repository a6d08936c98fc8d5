import { deniedArms, fullAndKilled, fullDisks, readOnlyDisks, slowResults, unmountedArm } from './diskFaults';
import type { Fault } from './fault';
import { clocks, rebootedClient } from './machineFaults';
import { interrupted, killedDrivers, killedTools, stoppedDrivers, stoppedTools, twoOperators } from './processFaults';
import { killedStore, moods } from './storeFaults';

/** Every fault that is tried, in the order of the table in matrix.md. */
export const FAULTS: readonly Fault[] = [
  ...killedDrivers,
  ...stoppedDrivers,
  ...killedTools,
  ...stoppedTools,
  ...interrupted,
  ...moods,
  killedStore,
  ...clocks,
  rebootedClient,
  ...fullDisks,
  ...readOnlyDisks,
  slowResults,
  unmountedArm,
  ...deniedArms,
  fullAndKilled,
  twoOperators,
];
