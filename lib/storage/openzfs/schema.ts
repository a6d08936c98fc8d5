import * as z from 'zod';
import { COMPRESSIONS, DEPLOYMENT_TYPES, type OpenZfsStorage } from './configuration';

/** As plans and deployments have it. What goes together is the rules' affair (rules.ts). */
export const openZfsSchema: z.ZodType<OpenZfsStorage> = z.looseObject({
  kind: z.literal('openzfs'),
  deploymentType: z.enum(DEPLOYMENT_TYPES),
  storageCapacityGiB: z.number(),
  throughputMBps: z.number(),
  compression: z.enum(COMPRESSIONS).optional(),
  iops: z.number().optional(),
  recordKiB: z.number().optional(),
});
