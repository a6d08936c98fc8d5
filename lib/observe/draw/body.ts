import * as z from 'zod';

/** The parts of a dashboard's body that are drawn. Source: CloudWatch API reference, dashboard body. Other fields pass through. */
const axis = z.looseObject({ label: z.string().optional(), min: z.number().optional(), max: z.number().optional() });

const place = {
  x: z.number().int().min(0).max(23),
  y: z.number().int().min(0).max(100_000),
  width: z.number().int().min(1).max(24),
  height: z.number().int().min(1).max(1000),
};

const properties = z.looseObject({
  title: z.string().optional(),
  period: z.number().int().positive().optional(),
  stat: z.string().optional(),
  metrics: z.array(z.array(z.union([z.string(), z.record(z.string(), z.unknown())])).min(1)).optional(),
  yAxis: z.looseObject({ left: axis.optional(), right: axis.optional() }).optional(),
  annotations: z
    .looseObject({
      horizontal: z
        .array(z.looseObject({ label: z.string().optional(), value: z.number(), yAxis: z.string().optional() }))
        .optional(),
    })
    .optional(),
  markdown: z.string().optional(),
  alarms: z.array(z.string()).optional(),
});

const body = z.looseObject({ widgets: z.array(z.looseObject({ ...place, type: z.string(), properties })) });

export type DashboardBody = z.output<typeof body>;
export type Widget = DashboardBody['widgets'][number];

/**
 * Parses a dashboard's body.
 *
 * @throws if it is invalid, with the first problem
 */
export function parseBody(text: string): DashboardBody {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`the dashboard's body must be JSON: ${(error as Error).message}`);
  }
  const parsed = body.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    `the dashboard's body must have the form of CloudWatch's: ${issue?.path.join('.')}: ${issue?.message}`,
  );
}
