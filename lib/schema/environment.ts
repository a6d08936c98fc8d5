import * as z from 'zod';
import { number, type Of, text } from './document';

/** One setting of a client: what was wanted, and what is in effect. */
const settingSchema = z.object({
  /** Name of the setting for `lctl`, such as `osc.*OST*.max_rpcs_in_flight`; `module ksocklnd credits` for a module option. */
  name: text,
  wanted: text,
  /** Each value in effect, once: several when targets differ, none when nothing answers to the name. */
  effective: z.array(text),
  /** Everything that answers to the name has the wanted value. */
  applied: z.boolean(),
  /** The first line of what was said about it, such as `error: set_param: … Numerical result out of range`. */
  message: text.nullable(),
});

/** `tuning.json` of a client, rewritten at each boot and mount. */
const tuningSchema = z
  .object({
    schema: z.literal('fsxbench.tuning/1'),
    appliedAt: text,
    cpus: number,
    memoryBytes: number,
    settings: z.array(settingSchema),
    /** A sentence for each setting that is not as wanted. */
    warnings: z.array(text),
  })
  .partial();

const nullableText = text.nullable();

/** A client as printed by `describe-node`: `environment/<node>.json`. Unknown values are `null`, with the reason in `notices`. */
export const environmentSchema = z
  .object({
    schema: z.literal('fsxbench.environment/1'),
    node: text,
    at: text,
    os: z.object({ id: nullableText, version: nullableText, name: nullableText }).partial(),
    kernel: text,
    architecture: text,
    cpus: number,
    cpuModel: nullableText,
    memoryBytes: number,
    /** Facts from the instance metadata service; `null` if it does not answer. */
    instance: z
      .object({
        id: nullableText,
        type: nullableText,
        image: nullableText,
        availabilityZone: nullableText,
        privateIp: nullableText,
        lifeCycle: nullableText,
      })
      .partial()
      .nullable(),
    /** Versions of the Lustre client's tools; `null` without Lustre. */
    lustre: z.object({ lfs: nullableText, lctl: nullableText }).partial().nullable(),
    /** Mounts of the arms, from the kernel's own table. */
    arms: z.record(
      text,
      z
        .object({
          mountPoint: text,
          source: nullableText,
          type: nullableText,
          options: nullableText,
          /** Default layout of new files: `lfs getstripe -d`, as printed. */
          layout: nullableText,
          /** Version of the servers of a Lustre: `2.15.8.0`. */
          version: text,
          /** Targets that a Lustre client knows of this file system. */
          objectTargets: number,
          metadataTargets: number,
          /** Targets of this file system that do not answer as `active`: lines of `lfs check servers`. */
          inactive: z.array(text).nullable(),
        })
        .partial(),
    ),
    /** Lustre parameters in effect, a value for each target: `{"osc.fsx-OST0000-….max_dirty_mb": "64"}`. */
    parameters: z.record(text, text),
    tuning: tuningSchema.nullable(),
    /** First line of what each tool says about its version. A tool that is not there is not a key. */
    tools: z.record(text, text),
    /** Path of each program that was asked for; `null` for one that is not on the PATH. */
    programs: z.record(text, nullableText),
    notices: z.array(text),
    /** Why the node did not describe itself. */
    reason: text,
  })
  .partial();
export type NodeEnvironment = Of<typeof environmentSchema>;
export type ClientSetting = Of<typeof settingSchema>;

/** Share of its processors from which the work of others on a client shows in a rate. A convention of fsxbench. */
export const SHARE_OF_OTHERS = 0.1;

const share = number.nullable();

/** Operations on files and directories that a client counts, named like those of samples. */
export const OPERATION_ROLES = [
  'file_create',
  'file_remove',
  'file_open',
  'file_stat',
  'dir_create',
  'dir_remove',
] as const;

/** Something that a client counts of the file system or device under the arm: `lustre_bytes_read`. */
const counterSchema = z.object({
  name: text,
  unit: text,
  value: number,
  /** Meaning for the analysis: bytes of servers or devices, seconds of processes in calls, and their operations on files. @default - only shown */
  role: z.enum(['read', 'written', 'calls', ...OPERATION_ROLES]).optional(),
});
export type Counter = Of<typeof counterSchema>;

/** @default - an older release of the scripts */
const counters = {
  /** `null` if nothing is counted, with the reason; a list with a reason if it is not complete. */
  counters: z.array(counterSchema).nullish(),
  countersReason: text.nullish(),
};

/** Output of `client-load`: counters since the boot of a client, and the processes that worked in the half second in which it watched. */
export const loadReadingSchema = z.object({
  schema: z.literal('fsxbench.load/1'),
  /** Drawn by the kernel at each boot. @default - an older release of the scripts */
  bootId: text.nullish(),
  /** The kernel's number of the file system that the arm is on. @default - an older release of the scripts */
  mount: text.nullish(),
  /** Seconds since boot, by a clock that nobody sets. */
  uptime: number,
  processors: number,
  busySeconds: number,
  /** Taken by the hypervisor for others. */
  stealSeconds: number,
  loadAverage: number,
  /** Seconds in which processors, all together, had no work while a process waited for a device. @default - an older release of the scripts */
  ioWaitSeconds: number.nullish(),
  cpuStallSeconds: share,
  memoryStallSeconds: share,
  /** @default - an older release of the scripts */
  ioStallSeconds: number.nullish(),
  /** Bytes of the devices below the arm; `null` where it is on none of this client. */
  device: z.object({ read: number, written: number }).nullable(),
  ...counters,
  kernelSeconds: number,
  /** Processor seconds by pid, start and name. */
  processSeconds: z.record(text, number),
  others: z.array(z.object({ name: text, processors: number })),
  /** `null` of an answer without watching. */
  othersProcessors: number.nullable(),
  /** Processors used by servers that stand in for a service next to the client: none on AWS. Older readings counted them among the others. */
  serviceProcessors: number.nullish(),
});
export type LoadReading = Of<typeof loadReadingSchema>;

/** Load of a client while it worked on a task. Shares are of all its processors, or of the time. */
export const clientLoadSchema = z.object({
  /** Its address; `null` for this computer. */
  client: text.nullable(),
  /** An earlier client on the same machine and mount: counters of both were counted once. @default - each is a separate machine */
  sameAs: text.optional(),
  seconds: number,
  processors: number,
  /** Share of all processes, the kernel's threads included. */
  busy: number,
  /** Share of processes that began and ended with the task: the tool, and any other short-lived ones. */
  tool: number,
  /** Share of processes that ran before and after. */
  lasting: number,
  /** Share of other processes just before or just after the task, without the tool: the larger. */
  others: number,
  /** Share of the lab's own servers just after the task, not counted among the others; absent in older runs. */
  service: number.optional(),
  /** The others by name, the busiest first. */
  names: z.array(text),
  steal: number,
  /** The mean over the last minute, at the end. */
  loadAverage: number,
  /** Share of the time in which some process waited for a processor, or all for memory; `null` if the kernel does not report it. */
  cpuStall: share,
  memoryStall: share,
  /** Share of its processors without work while a process waited for a device; absent in older runs. */
  ioWait: number.optional(),
  /** Share of the time in which some process waited for I/O, as far as the kernel counts it; absent in older runs. */
  ioStall: share.optional(),
  /** Bytes of the devices below the arm; `null` if it is on none of this client's. */
  device: z.object({ read: number, written: number }).nullable(),
  /** Differences between the two readings. */
  ...counters,
});
export type ClientLoad = Of<typeof clientLoadSchema>;
