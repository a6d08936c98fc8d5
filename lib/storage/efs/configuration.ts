import * as z from 'zod';
import type { Of } from '../../schema/document';
/** Location of the data: several zones, or only that of the clients. */
export const AVAILABILITIES = ['regional', 'one-zone'] as const;

/** Basis of the throughput: the bytes stored, the load, or a provisioned rate. */
export const THROUGHPUT_MODES = ['bursting', 'elastic', 'provisioned'] as const;

export const PERFORMANCE_MODES = ['general-purpose', 'max-io'] as const;

/** A file system of EFS, as it is asked for. What goes together is the rules' affair (rules.ts). */
export const efsSchema = z.object({
  kind: z.literal('efs'),
  throughputMode: z.enum(THROUGHPUT_MODES),
  /** MiB/s; with `provisioned` only, and required there. */
  provisionedThroughputMiBps: z.number().optional(),
  /** @default regional */
  availability: z.enum(AVAILABILITIES).optional(),
  /** @default general-purpose */
  performanceMode: z.enum(PERFORMANCE_MODES).optional(),
  /** Encrypted at rest, with the key of the service. @default true */
  encrypted: z.boolean().optional(),
});
export type EfsStorage = Of<typeof efsSchema>;

/** In a line, for people: `EFS Regional, provisioned throughput 256 MiB/s`. */
export function describeEfs(configuration: EfsStorage): string {
  const { throughputMode, provisionedThroughputMiBps, availability = 'regional' } = configuration;
  const { performanceMode = 'general-purpose', encrypted = true } = configuration;
  return [
    `EFS ${availability === 'regional' ? 'Regional' : 'One Zone'}`,
    `${throughputMode} throughput${provisionedThroughputMiBps === undefined ? '' : ` ${provisionedThroughputMiBps} MiB/s`}`,
    ...(performanceMode === 'max-io' ? ['Max I/O'] : []),
    ...(encrypted ? [] : ['not encrypted']),
  ].join(', ');
}
