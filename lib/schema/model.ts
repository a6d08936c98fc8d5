import * as z from 'zod';
import { number, type Of, text } from './document';

/** What the scale model holds of a storage, and of each client's own link to it. */
export const HELD = [
  ...(['disk_write', 'disk_read', 'network_write', 'network_read'] as const),
  ...(['client_write', 'client_read'] as const),
] as const;

const heldSchema = z.object({
  name: z.enum(HELD),
  /** What AWS documents for the whole file system, or for one client, MB/s. */
  documentedMBps: number,
  /** The same ÷ scale, as the kernel read it back. */
  setMBps: number,
  /** What the calibration before the run measured; of several clients the one furthest off. */
  measuredMBps: number,
  /** Where the figure is documented. */
  source: text,
});
export type HeldFigure = Of<typeof heldSchema>;

const heldMetadataSchema = z.object({
  /** Metadata IOPS of the configuration. */
  iops: number,
  /** Files that are documented to be created a second with these IOPS. */
  documentedCreatesPerSecond: number,
  /** The same ÷ scale. */
  setCreatesPerSecond: number,
  /** What the calibration before the run measured. */
  measuredCreatesPerSecond: number,
  /** Writes of the metadata server's disk for each file that it creates, as the calibration counted them. */
  writesPerCreate: number,
  /** Writes a second that the kernel lets through to that disk, as it read them back. */
  writesPerSecond: number,
  /** Where the figure is documented. */
  source: text,
});
export type HeldMetadata = Of<typeof heldMetadataSchema>;

/** A storage of the lab whose disk and network are held at documented figures, divided by a scale. */
export const scaleModelSchema = z.object({
  /** 100: everything is held at a hundredth. */
  scale: number,
  /** The configuration that it stands for, for people: `PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, LZ4`. */
  stands: text,
  held: z.array(heldSchema),
  /** Of its metadata server. @default - nothing: no rate is documented of such a configuration */
  metadata: heldMetadataSchema.optional(),
  /** Bytes that the servers may keep in memory before they are on the disk. */
  dirtyBytes: number,
  /** What the file system on AWS has and the model has not: a clause each. */
  free: z.array(text),
  /** Metrics that its servers have no count for, with the reason. @default - of runs before this was recorded */
  uncounted: z.record(text, text).optional(),
});
export type ScaleModel = Of<typeof scaleModelSchema>;
