import * as z from 'zod';
import { type EbsStorage, FILESYSTEMS, VOLUME_TYPES } from './configuration';

/** What goes together is the rules' affair (rules.ts). */
export const ebsSchema: z.ZodType<EbsStorage> = z.looseObject({
  kind: z.literal('ebs'),
  filesystem: z.enum(FILESYSTEMS),
  compression: z.string().optional(),
  volumeType: z.enum(VOLUME_TYPES),
  volumeGiB: z.number(),
  volumes: z.number().optional(),
  iops: z.number().optional(),
  throughputMiBps: z.number().optional(),
  encrypted: z.boolean().optional(),
});
