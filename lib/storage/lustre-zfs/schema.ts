import * as z from 'zod';
import { type LustreZfsStorage, OFFLOADS } from './configuration';

/** As plans and deployments have it. What goes together is the rules' affair (rules.ts). */
export const lustreZfsSchema: z.ZodType<LustreZfsStorage> = z.looseObject({
  kind: z.literal('lustre-zfs'),
  servers: z.number().optional(),
  instanceType: z.string(),
  raidDisks: z.number().optional(),
  compression: z.string(),
  recordSizeKiB: z.number().optional(),
  offload: z.enum(OFFLOADS).optional(),
  build: z.looseObject({ url: z.string(), sha256: z.string() }).optional(),
  image: z.string().optional(),
});
