import * as z from 'zod';
import { type Of, text } from './document';

/** Recipient of alarms at published scale, as somebody answered once on a terminal of this machine. */
export const alarmAnswerSchema = z.object({
  schema: z.literal('fsxbench.alarms/1'),
  /** `null`: nobody. */
  email: z.email().nullable(),
  answeredAt: text,
});
export type AlarmAnswer = Of<typeof alarmAnswerSchema>;
