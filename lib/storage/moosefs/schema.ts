import * as z from 'zod';
import { ENGINES, type MooseFsStorage } from './configuration';

/** As plans and deployments have it. What goes together is the rules' affair (rules.ts). */
export const mooseFsSchema: z.ZodType<MooseFsStorage> = z.looseObject({
  kind: z.literal('moosefs'),
  engine: z.enum(ENGINES).optional(),
  chunkservers: z.number(),
  instanceType: z.string(),
  masterInstanceType: z.string().optional(),
  volumesPerServer: z.number().optional(),
  volumeGiB: z.number(),
  volumeIops: z.number().optional(),
  volumeThroughputMiBps: z.number().optional(),
  copies: z.number().optional(),
});
