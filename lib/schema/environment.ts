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

/**
 * Description of a client, as printed by `describe-node`: `environment/<node>.json`. Unknown values are `null`, with the reason in
 * `notices`. Each part may be missing: older releases did not record it, or the node did not answer.
 */
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
    /** Facts from the instance metadata service; `null` if there is none. */
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
/** A setting as the client reported it. */
export type ClientSetting = Of<typeof settingSchema>;
