import { command, programCommand } from './command';
import { compsize } from './compsize';
import { darshan, darshanLog } from './darshan';
import { dask } from './dask';
import { dd } from './dd';
import { du } from './du';
import { elbencho } from './elbencho';
import { pingpong } from './fi_pingpong';
import { fio } from './fio';
import { io500 } from './io500';
import { ior } from './ior';
import { iperf3 } from './iperf3';
import { lazyload } from './lazyload';
import { lst } from './lst';
import { mdtest } from './mdtest';
import { procStat } from './proc-stat';
import { rung } from './rung';
import { exactFigures, smallfile } from './smallfile';
import { stream } from './stream';
import type { Tool } from './tool';
import type { Workload } from './workload';
import { xdd } from './xdd';
import { zfsTools } from './zfs-tools';

/** The tools that plans can run, in order of preference. A new one takes a folder and a line here, nothing else (test/workload/seam.test.ts). */
export const WORKLOADS: readonly Workload[] = [
  ior,
  mdtest,
  fio,
  command,
  dd,
  stream,
  dask,
  lazyload,
  rung,
  iperf3,
  lst,
  pingpong,
];

/** The workload behind the user's own program, with the command that runs and measures it. */
export const OWN_PROGRAM = { tool: command.id, command: programCommand };

/** The tool that records the work of a user's own program, and how its logs are read. */
export const RECORDER = { ...darshanLog, tool: darshan };

/** The tools that users can have built in a directory of theirs (assets/client/bin/build-tools). */
export const BUILT: readonly Workload[] = [ior, mdtest, fio];

/** Scripts below assets/ that make the environment of a workload's program, which else makes it at its first use. */
export const ENVIRONMENTS: Readonly<Record<string, string>> = { [dask.id]: 'dask/install' };

/** The tool that rounds in its log `X.out`, and adds the figures of its files `X.json`, `X.0.json` … to the document of the log. */
export const ROUNDING = { tool: smallfile, exactFigures };

/** Benchmarks of which only the output and the options are supported. A log of theirs is not that of the `time` around them (dd). */
export const OTHER_BENCHMARKS: readonly Tool[] = [elbencho, smallfile];

/** Other tools of which only the output or the options are supported. */
export const OTHER_TOOLS: readonly Tool[] = [compsize, du, xdd, io500, zfsTools, procStat, darshan];
