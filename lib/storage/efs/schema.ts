import * as z from 'zod';
import { AVAILABILITIES, type EfsStorage, PERFORMANCE_MODES, THROUGHPUT_MODES } from './configuration';

/** A file system of EFS as plans and deployments have it. What goes together is the rules' affair (rules.ts). */
export const efsSchema: z.ZodType<EfsStorage> = z.looseObject({
  kind: z.literal('efs'),
  throughputMode: z.enum(THROUGHPUT_MODES),
  provisionedThroughputMiBps: z.number().optional(),
  availability: z.enum(AVAILABILITIES).optional(),
  performanceMode: z.enum(PERFORMANCE_MODES).optional(),
  encrypted: z.boolean().optional(),
});
