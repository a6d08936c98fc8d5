import * as z from 'zod';
import { number, type Of, text } from './document';

/** Throttled rates of a storage's scale model, and of each client's own link to it. */
const HELD = ['disk_write', 'disk_read', 'network_write', 'network_read', 'client_write', 'client_read'] as const;

/**
 * Share by which the limits of two models may differ though they are set alike: a calibration is accepted up to as much, and what servers
 * hold in memory at the end of a phase, up to a tenth of it, counts as written. A ratio nearer to 1 does not count as a difference between arms.
 */
export const HELD_WITHIN = 0.05;

const throttledSchema = z.object({
  name: z.enum(HELD),
  /** AWS's documented rate for the whole file system, or for one client, MB/s. */
  documentedMBps: number,
  /** Documented rate ÷ scale, as the kernel read it back. */
  setMBps: number,
  /** Rate measured by the calibration before the run; for several clients, the one furthest off. */
  measuredMBps: number,
  /** Source of the documented figure. */
  source: text,
});
export type ThrottledFigure = Of<typeof throttledSchema>;

const throttledMetadataSchema = z.object({
  iops: number,
  /** Files that are documented to be created a second with these IOPS. */
  documentedCreatesPerSecond: number,
  /** Documented creations ÷ scale. */
  setCreatesPerSecond: number,
  /** Rate measured by the calibration before the run. */
  measuredCreatesPerSecond: number,
  /** Writes of the metadata server's disk for each file that it creates, as the calibration counted them. */
  writesPerCreate: number,
  /** Writes a second that the kernel lets through to that disk, as it read them back. */
  writesPerSecond: number,
  /** Source of the documented figure. */
  source: text,
});
export type ThrottledMetadata = Of<typeof throttledMetadataSchema>;

/** A storage of the lab whose disk and network are throttled to documented figures, divided by a scale. */
export const scaleModelSchema = z.object({
  /** 100: everything is throttled to a hundredth. */
  scale: number,
  /** The configuration that it stands for, for people: `PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, LZ4`. */
  stands: text,
  held: z.array(throttledSchema),
  /** Throttle of its metadata server. @default - none: no rate is documented for such a configuration */
  metadata: throttledMetadataSchema.optional(),
  /** Bytes that the servers may keep in memory before they are on the disk. */
  dirtyBytes: number,
  /** Properties of the file system on AWS that the model lacks: a clause each. */
  free: z.array(text),
  /** Metrics that its servers have no count for, with the reason. @default - of runs before this was recorded */
  uncounted: z.record(text, text).optional(),
});
export type ScaleModel = Of<typeof scaleModelSchema>;

/** Limits of the lab's model, by arm, which its dashboard shows in place of the documented ones. */
export const modelLimitsSchema = z.record(
  text,
  z.object({
    /** Divisor of documented rates. */
    scale: number,
    /** Operations per second of its metadata target's disk; `null` if they are not throttled. */
    metadataIops: number.nullable(),
  }),
);
export type ModelLimits = Of<typeof modelLimitsSchema>;

export const limitsOfModel = ({ scale, metadata }: Pick<ScaleModel, 'scale' | 'metadata'>): ModelLimits[string] => ({
  scale,
  metadataIops: metadata?.writesPerSecond ?? null,
});

/** Variable of the environment in which the lab hands them to the application, as JSON. */
export const MODEL_LIMITS = 'FSXBENCH_LAB_MODEL';
