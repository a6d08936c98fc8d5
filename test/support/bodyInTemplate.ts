import type { Resource } from './cdk';
import { theOnly } from './cdk';

/** A widget of a dashboard's body, as CloudWatch has it. */
export interface Widget {
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly title?: string;
    readonly period?: number;
    readonly stat?: string;
    readonly metrics?: readonly (readonly (string | Readonly<Record<string, unknown>>)[])[];
    readonly yAxis?: Readonly<Partial<Record<'left' | 'right', { label?: string; min?: number; max?: number }>>>;
    readonly annotations?: { readonly horizontal?: readonly { label: string; value: number }[] };
    readonly markdown?: string;
    readonly alarms?: readonly string[];
  };
}

/** Values that CloudFormation would insert. */
export interface Fillings {
  /** Ids of file systems by arm. */
  readonly fileSystems: Readonly<Record<string, string>>;
  /** Name of the clients' group. @default - its logical id */
  readonly autoScalingGroup?: string;
}

/** A dashboard's body in a template, with alarms by their names; other values that only a deployment knows are their logical ids. */
export function bodyInTemplate(resources: Readonly<Record<string, Resource>>, fillings: Fillings): string {
  const fill = (part: unknown): string => {
    if (typeof part === 'string') return part;
    const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = part as Record<string, unknown>;
    if (Array.isArray(joined)) return (joined[1] as unknown[]).map(fill).join(joined[0]);
    if (Ref === 'AWS::Region') return 'us-east-1';
    const id = String(Ref ?? (attribute as string[])[0]);
    const { Type, Properties } = resources[id] ?? {};
    if (Type === 'AWS::AutoScaling::AutoScalingGroup') return fillings.autoScalingGroup ?? id;
    return Properties?.AlarmName ?? fileSystemOf(id, fillings) ?? id;
  };
  return fill(theOnly(resources, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody);
}

/** Logical ids are the path's letters and digits with a hash behind them: `Storage-p250-none` is Storagep250none43A79C6D. */
function fileSystemOf(logicalId: string, { fileSystems }: Fillings): string | undefined {
  const bare = logicalId.replace(/[0-9A-F]{8}$/, '');
  return Object.entries(fileSystems).find(([arm]) => bare === `Storage${arm.replace(/[^A-Za-z0-9]/g, '')}`)?.[1];
}

/** Widgets in reading order. */
export const widgetsIn = (body: string): Widget[] =>
  (JSON.parse(body).widgets as Widget[]).sort((a, b) => a.y - b.y || a.x - b.x);
