import * as z from 'zod';

const resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).optional(),
});

const template = z.looseObject({ Resources: z.record(z.string(), resource) });

/** Values that CloudFormation would insert. */
export interface Fillings {
  /** Ids of file systems by arm. */
  readonly fileSystems: Readonly<Record<string, string>>;
  readonly region: string;
  /** Name of the clients' group. @default - its logical id */
  readonly autoScalingGroup?: string | null;
}

/**
 * The body of the dashboard in a synthesised template. Alarms are named; other values known only after deployment are replaced by
 * the logical id; file systems are those of the arms.
 *
 * @throws if the template has no dashboard, or several
 */
export function bodyInTemplate(text: string, fillings: Fillings): string {
  const parsed = template.safeParse(JSON.parse(text));
  if (!parsed.success)
    throw new Error("'--template' must be a template of CloudFormation, as 'npx cdk synth' writes it");
  const resources = parsed.data.Resources;
  const dashboards = Object.values(resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Dashboard');
  const [dashboard] = dashboards;
  if (dashboard === undefined || dashboards.length > 1) {
    throw new Error(`'--template' must have one dashboard, got ${dashboards.length}`);
  }
  const fill = (part: unknown): string => {
    if (typeof part === 'string') return part;
    const { Ref, 'Fn::GetAtt': attribute } = part as { Ref?: string; 'Fn::GetAtt'?: readonly string[] };
    if (Ref === 'AWS::Region') return fillings.region;
    const id = Ref ?? attribute?.[0] ?? 'unknown';
    switch (resources[id]?.Type) {
      case 'AWS::FSx::FileSystem':
        return fileSystemOf(id, fillings) ?? id;
      case 'AWS::AutoScaling::AutoScalingGroup':
        return fillings.autoScalingGroup ?? id;
      case 'AWS::CloudWatch::Alarm':
      case 'AWS::CloudWatch::CompositeAlarm':
        return String(resources[id]?.Properties?.AlarmName ?? id);
      default:
        return id;
    }
  };
  const body = dashboard.Properties?.DashboardBody;
  const joined = (body as { 'Fn::Join'?: readonly [string, readonly unknown[]] } | undefined)?.['Fn::Join'];
  return joined ? joined[1].map(fill).join(joined[0]) : fill(body);
}

/** Logical ids are the path's letters and digits with a hash behind them: `Storage-p250-none` is Storagep250none43A79C6D. */
function fileSystemOf(logicalId: string, { fileSystems }: Fillings): string | undefined {
  const bare = logicalId.replace(/[0-9A-F]{8}$/, '');
  return Object.entries(fileSystems).find(([arm]) => bare === `Storage${arm.replace(/[^A-Za-z0-9]/g, '')}`)?.[1];
}
