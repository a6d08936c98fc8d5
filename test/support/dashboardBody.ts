import * as z from 'zod';
import type { Resource } from './cdk';

/*
 * CloudWatch's documented structure of a dashboard body (CloudWatch API reference, "Dashboard Body Structure and Syntax"), as far as our
 * dashboards use it, with the quotas of the CloudWatch user guide. Objects are strict: CloudWatch names what it doesn't know and refuses it.
 */

const COLOUR = z.string().regex(/^#[0-9a-f]{6}$/);
const ARN = z.string().startsWith('arn:');

const rendering = z.strictObject({
  color: COLOUR.optional(),
  label: z.string().optional(),
  stat: z.string().optional(),
  period: z.number().int().positive().optional(),
  yAxis: z.enum(['left', 'right']).optional(),
  visible: z.boolean().optional(),
  id: z
    .string()
    .regex(/^[a-z][A-Za-z0-9_]*$/)
    .optional(),
  region: z.string().optional(),
});

const expression = rendering.extend({ expression: z.string().min(1) });

/** `[namespace, metric, dimension, value, …, {rendering}]`, or `[{expression}]`. */
const line = z.union([
  z.tuple([expression]),
  z.array(z.union([z.string().min(1), rendering])).refine((items) => {
    const words = items.slice(0, -1);
    return words.length >= 2 && words.length % 2 === 0 && words.every((it) => typeof it === 'string');
  }, 'namespace, metric name, pairs of dimension and value, rendering'),
]);

const axis = z.strictObject({
  label: z.string().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  showUnits: z.boolean().optional(),
});

const horizontal = z.strictObject({
  label: z.string().optional(),
  value: z.number(),
  color: COLOUR.optional(),
  yAxis: z.enum(['left', 'right']).optional(),
});

const place = {
  x: z.number().int().min(0).max(23),
  y: z.number().int().min(0),
  width: z.number().int().min(1).max(24),
  height: z.number().int().min(1).max(1000),
};

const metricWidget = z.strictObject({
  ...place,
  type: z.literal('metric'),
  properties: z.strictObject({
    view: z.enum(['timeSeries', 'singleValue', 'gauge', 'bar', 'pie', 'table']),
    region: z.string(),
    metrics: z.array(line).min(1).max(500),
    title: z.string(),
    period: z.number().int().positive().optional(),
    stat: z.string().optional(),
    stacked: z.boolean().optional(),
    yAxis: z.strictObject({ left: axis.optional(), right: axis.optional() }).optional(),
    annotations: z.strictObject({ horizontal: z.array(horizontal).optional() }).optional(),
  }),
});

const textWidget = z.strictObject({
  ...place,
  type: z.literal('text'),
  properties: z.strictObject({ markdown: z.string(), background: z.enum(['transparent', 'solid']).optional() }),
});

const alarmWidget = z.strictObject({
  ...place,
  type: z.literal('alarm'),
  properties: z.strictObject({ alarms: z.array(ARN).min(1).max(100), title: z.string().optional() }),
});

const variable = z
  .strictObject({
    type: z.enum(['property', 'pattern']),
    property: z.string().optional(),
    pattern: z.string().optional(),
    inputType: z.enum(['input', 'select', 'radio']),
    id: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/),
    label: z.string().optional(),
    defaultValue: z.string().optional(),
    visible: z.boolean().optional(),
    search: z.string().optional(),
    populateFrom: z.string().optional(),
    values: z.array(z.strictObject({ label: z.string().optional(), value: z.string() })).optional(),
  })
  .refine((it) => (it.type === 'pattern') === (it.pattern !== undefined), 'a pattern variable has a pattern')
  .refine((it) => (it.type === 'property') === (it.property !== undefined), 'a property variable has a property')
  .refine((it) => (it.search === undefined) === (it.populateFrom === undefined), 'search goes with populateFrom')
  .refine((it) => it.inputType === 'input' || (it.search ?? it.values) !== undefined, 'a choice needs values');

export const dashboardBody = z
  .strictObject({
    start: z
      .string()
      .regex(/^-P|^\d{4}-/)
      .optional(),
    end: z.string().optional(),
    periodOverride: z.enum(['auto', 'inherit']).optional(),
    variables: z.array(variable).max(25).optional(),
    widgets: z.array(z.discriminatedUnion('type', [metricWidget, textWidget, alarmWidget])).max(500),
  })
  .refine(
    (body) => new Set(body.variables?.map(({ id }) => id)).size === (body.variables?.length ?? 0),
    'ids are unique',
  )
  .refine((body) => body.widgets.every(({ x, width }) => x + width <= 24), 'widgets stay within 24 columns');

export type DashboardBody = z.output<typeof dashboardBody>;

/** The id that a file system gets in place of its logical id. */
export const idInPlaceOf = (logicalId: string): string => `fs-${Buffer.from(logicalId).toString('hex').slice(-17)}`;

/** Name of the clients' group. */
export const GROUP = 'MetadataBench-FleetGroup00000000-000000000000';

/** Values that CloudFormation would fill in, in lengths as AWS has them. */
function filled(part: unknown): string {
  if (typeof part === 'string') return part;
  const {
    Ref,
    'Fn::GetAtt': attribute,
    'Fn::Join': join,
  } = part as { Ref?: string; 'Fn::GetAtt'?: readonly [string, string]; 'Fn::Join'?: readonly [string, unknown[]] };
  if (join !== undefined) return join[1].map(filled).join(join[0]);
  if (Ref === 'AWS::Region') return 'us-east-1';
  if (Ref === 'AWS::Partition') return 'aws';
  if (Ref?.startsWith('Storage')) return idInPlaceOf(Ref);
  if (Ref?.startsWith('Fleet')) return GROUP;
  if (attribute?.[1] === 'Arn') return `arn:aws:cloudwatch:us-east-1:123456789012:alarm:${attribute[0]}`;
  throw new Error(`what is ${JSON.stringify(part)}?`);
}

/** The body as CloudWatch gets it. */
export function bodyOf({ Properties }: Resource): unknown {
  const { DashboardBody: body } = Properties;
  const text = typeof body === 'string' ? body : (body['Fn::Join'][1] as unknown[]).map(filled).join('');
  return JSON.parse(text);
}

/** Every SEARCH in an expression, with its schema and terms: `SEARCH('…', 'Sum', 60)`. */
export const searchesIn = (text: string): string[] => text.match(/SEARCH\('[^']*', '[^']*', \d+\)/g) ?? [];

/** Expressions of a dashboard's graphs, one list a graph. */
export function expressionsOf(body: DashboardBody): readonly (readonly string[])[] {
  return body.widgets.flatMap((widget) =>
    widget.type === 'metric'
      ? [
          widget.properties.metrics.flatMap((items) => {
            const last = items.at(-1);
            return typeof last === 'object' && 'expression' in last ? [last.expression as string] : [];
          }),
        ]
      : [],
  );
}

/** A metric that a graph names, by itself or for a formula. */
export interface PlainMetric {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly stat: string;
}

/** Every metric that a graph of a dashboard names, each once. */
export function plainMetricsOf({ widgets }: DashboardBody): PlainMetric[] {
  const found = new Map<string, PlainMetric>();
  for (const widget of widgets) {
    if (widget.type !== 'metric') continue;
    for (const items of widget.properties.metrics) {
      const [namespace, metric, ...rest] = (items as unknown[]).filter((it) => typeof it === 'string');
      if (namespace === undefined || metric === undefined) continue;
      const last = items.at(-1) as { stat?: string } | string;
      const pairs = rest.flatMap((name, index) => (index % 2 === 0 ? [[name, rest[index + 1] ?? ''] as const] : []));
      // CloudWatch takes the average where neither the metric nor the graph names a statistic.
      const own = typeof last === 'string' ? undefined : last.stat;
      const stat = own ?? widget.properties.stat ?? 'Average';
      const plain = { namespace, metric, dimensions: Object.fromEntries(pairs), stat };
      found.set(JSON.stringify(plain), plain);
    }
  }
  return [...found.values()];
}

/** Terms of a SEARCH of ours. */
export interface SearchedMetric {
  readonly metric: string;
  readonly fileSystemId: string;
  /** The dimension in addition to the file system's. */
  readonly dimension: string;
  readonly stat: string;
}

/** Every SEARCH of a dashboard, taken apart by the form that all of ours have. */
export function searchesOf(body: DashboardBody): SearchedMetric[] {
  const form =
    /^SEARCH\('\{AWS\/FSx,FileSystemId,(\w+)\} MetricName="(\w+)" FileSystemId="([^"]+)"(?: \w+=\w+)?', '(\w+)', 60\)$/;
  return expressionsOf(body)
    .flat()
    .flatMap(searchesIn)
    .map((text) => {
      const [, dimension = '', metric = '', fileSystemId = '', stat = ''] = form.exec(text) ?? [];
      if (metric === '') throw new Error(`what is ${text}?`);
      return { metric, fileSystemId, dimension, stat };
    });
}
