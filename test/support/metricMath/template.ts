import type { Resource } from '../cdk';
import { theOnly } from '../cdk';
import type { Widget } from './body';

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
