import { LIMITS, type ServiceLimit } from '../../lib/common/aws/services';
import { zonesOffering } from '../../lib/fleet/offerings';
import { ofType, type Resource } from './cdk';
import { clientRulesLate, rulesMissing } from './securityRules';
import { inCycles, type Resources } from './templateGraph';

// biome-ignore lint/suspicious/noExplicitAny: templates are JSON of any shape
type Template = any;

/** Maximum length of a CloudFormation value: ids and names are shorter. */
const FILLED_IN = 128;

/** The text of a value, with what CloudFormation fills in at its longest. */
function text(value: unknown): string {
  if (typeof value === 'string') return value;
  const parts = (value as { 'Fn::Join'?: [string, unknown[]] })?.['Fn::Join']?.[1];
  if (parts !== undefined) return parts.map(text).join('');
  if ((value as { Ref?: string })?.Ref === 'AWS::Partition') return 'aws-us-gov';
  return 'x'.repeat(FILLED_IN);
}

const bytes = (value: unknown): number => Buffer.byteLength(text(value));

/** A measurement on a template: which limit, where, how much of it. */
type Measurement = readonly [limit: keyof typeof LIMITS, where: string, value: number];

type Probe = (id: string, resource: Resource) => Measurement[];

interface Widget {
  readonly type: string;
  readonly properties: { readonly metrics?: readonly unknown[]; readonly alarms?: readonly unknown[] };
}

function dashboard(id: string, { Properties }: Resource): Measurement[] {
  const name = Properties.DashboardName === undefined ? 0 : text(Properties.DashboardName).length;
  const { widgets } = JSON.parse(text(Properties.DashboardBody)) as { widgets: Widget[] };
  const metrics = widgets.map(({ properties }) => properties.metrics?.length ?? 0);
  return [
    ['dashboardNameCharacters', id, name],
    ['dashboardWidgets', id, widgets.length],
    ['dashboardMetrics', id, metrics.reduce((sum, count) => sum + count, 0)],
    ['widgetMetrics', id, Math.max(...metrics)],
    ['widgetAlarms', id, Math.max(...widgets.map(({ properties }) => properties.alarms?.length ?? 0))],
  ];
}

function alarm(id: string, { Properties }: Resource): Measurement[] {
  const read = (Properties.Metrics ?? []).filter((metric: { MetricStat?: object }) => metric.MetricStat !== undefined);
  return [
    ['alarmMetrics', id, read.length],
    ['alarmNameCharacters', id, text(Properties.AlarmName ?? '').length],
    ['alarmDescriptionCharacters', id, text(Properties.AlarmDescription ?? '').length],
    ['alarmActions', id, Properties.AlarmActions?.length ?? 0],
  ];
}

const group: Probe = (id, { UpdatePolicy }) => {
  const { MaxBatchSize = 1, PauseTime = 'PT0S' } = UpdatePolicy?.AutoScalingRollingUpdate ?? {};
  const [, hours = 0, minutes = 0] = /^PT(?:(\d+)H)?(?:(\d+)M)?/.exec(PauseTime) ?? [];
  return [
    ['updateBatch', id, MaxBatchSize],
    ['updatePauseMinutes', id, Number(hours) * 60 + Number(minutes)],
  ];
};

const PROBES: Readonly<Record<string, Probe>> = {
  'AWS::AutoScaling::AutoScalingGroup': group,
  'AWS::CloudWatch::Alarm': alarm,
  'AWS::CloudWatch::CompositeAlarm': alarm,
  'AWS::CloudWatch::Dashboard': dashboard,
  'AWS::EC2::LaunchTemplate': (id, { Properties }) => [
    ['userDataBytes', id, bytes(Properties.LaunchTemplateData.UserData['Fn::Base64'])],
  ],
  'AWS::SSM::Document': (id, { Properties }) => [['documentBytes', id, JSON.stringify(Properties.Content).length]],
  'AWS::SSM::Parameter': (id, { Properties }) => [
    // Inserted values are ids and short names; with longer ones, CDK would exceed the size of a standard parameter.
    [
      Properties.Tier === 'Advanced' ? 'advancedParameterBytes' : 'standardParameterBytes',
      id,
      bytes(Properties.Value) - tokens(Properties.Value) * (FILLED_IN - 64),
    ],
  ],
};

/** Number of values in a text that CloudFormation fills in. */
function tokens(value: unknown): number {
  const parts = (value as { 'Fn::Join'?: [string, unknown[]] })?.['Fn::Join']?.[1] ?? [];
  return parts.filter((part) => typeof part !== 'string').length;
}

/** JSON of any value, with the texts that CloudFormation fills in at their longest. */
function filledIn(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' &&
    inner !== null &&
    Object.keys(inner).some((key) => key === 'Ref' || key.startsWith('Fn::'))
      ? text(inner)
      : inner,
  );
}

function groupRules(resources: Resources): Measurement[] {
  return ofType(resources, 'AWS::EC2::SecurityGroup').flatMap(([id, { Properties }]) =>
    (['Ingress', 'Egress'] as const).map((direction): Measurement => {
      const own = ofType(resources, `AWS::EC2::SecurityGroup${direction}`).filter(([, rule]) =>
        JSON.stringify(rule.Properties.GroupId).includes(`"${id}"`),
      );
      return ['groupRules', `${id} ${direction}`, (Properties[`SecurityGroup${direction}`] ?? []).length + own.length];
    }),
  );
}

/** Inline policies of a role: in the role, and as separate resources. */
function rolePolicies(resources: Resources): Measurement[] {
  const policies = ofType(resources, 'AWS::IAM::Policy').map(([, { Properties }]) => Properties);
  return ofType(resources, 'AWS::IAM::Role').map(([id, { Properties }]): Measurement => {
    const attached = policies.filter(({ Roles }) => JSON.stringify(Roles).includes(`"${id}"`));
    const all: { PolicyDocument: unknown }[] = [...(Properties.Policies ?? []), ...attached];
    const characters = all.reduce((sum, { PolicyDocument }) => sum + filledIn(PolicyDocument).length, 0);
    return ['inlinePolicyCharacters', id, characters];
  });
}

function measurements(template: Template): Measurement[] {
  const resources: Resources = template.Resources;
  return [
    ['resources', 'template', Object.keys(resources).length],
    ['outputs', 'template', Object.keys(template.Outputs ?? {}).length],
    ['parameters', 'template', Object.keys(template.Parameters ?? {}).length],
    ['templateBytes', 'template', Buffer.byteLength(JSON.stringify(template, null, 1))],
    ['descriptionBytes', 'template', Buffer.byteLength(template.Description ?? '')],
    ...groupRules(resources),
    ...rolePolicies(resources),
    ...Object.entries(resources).flatMap(([id, resource]) => PROBES[resource.Type]?.(id, resource) ?? []),
  ];
}

/** Limits that a template passes. */
export function limitsPassed(template: Template): string[] {
  return measurements(template).flatMap(([name, where, value]) => {
    const { max: most, unit }: ServiceLimit = LIMITS[name];
    return value <= most ? [] : [`${where}: ${value} ${unit}, at most ${most}`];
  });
}

/** The limits that say something of a template: a table that nothing is measured by would assert nothing. */
export function limitsMeasured(template: Template): string[] {
  return [...new Set(measurements(template).map(([name]) => name))];
}

/** Resources that removing the stack would leave, but for logs that expire. */
function left([id, { Type, Properties, DeletionPolicy = 'Delete', UpdateReplacePolicy = 'Delete' }]: [
  string,
  Resource,
]) {
  const expires = Type === 'AWS::Logs::LogGroup' && Properties.RetentionInDays <= 365;
  return expires || (DeletionPolicy === 'Delete' && UpdateReplacePolicy === 'Delete')
    ? []
    : [`${id} stays when its stack is removed: ${Type}`];
}

/** Addresses that AWS reserves in each subnet. Source: https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html */
const RESERVED_ADDRESSES = 5;

/** Addresses missing in the subnet of the clients, if the stack makes the subnet. */
function addressesMissing(resources: Resources, servers: number): string[] {
  const fleet = ofType(resources, 'AWS::AutoScaling::AutoScalingGroup')[0]?.[1].Properties;
  const subnet = resources[fleet?.VPCZoneIdentifier[0]?.Ref]?.Properties.CidrBlock;
  if (typeof subnet !== 'string') return [];
  const there = 2 ** (32 - Number(subnet.split('/')[1])) - RESERVED_ADDRESSES;
  const needed = Number(fleet.MaxSize) + servers;
  return needed <= there ? [] : [`${needed} addresses are needed in ${subnet}, which has ${there}`];
}

/** Instance types that the Region, or the zone where it is given by its id, does not offer as far as that is known. */
function notOffered(resources: Resources, region: string): string[] {
  const wanted = ofType(resources, 'AWS::EC2::Subnet').flatMap(
    ([, { Properties }]) => Properties.AvailabilityZoneId ?? [],
  );
  return ofType(resources, 'AWS::EC2::LaunchTemplate').flatMap(([id, { Properties }]) => {
    const { InstanceType } = Properties.LaunchTemplateData;
    const zones = zonesOffering(InstanceType, region);
    if (zones === null) return [];
    const missing = wanted.filter((zone) => !zones.includes(zone));
    return zones.length > 0 && missing.length === 0
      ? []
      : [`${id}: ${InstanceType} is not offered in ${missing[0] ?? region}`];
  });
}

/**
 * Why AWS would refuse to deploy a template of a benchmark, or keep something of it: the page of deployability.
 *
 * @param servers of all file systems: each takes an address
 * @param region that the template goes to
 */
export function whyNotDeployable(template: Template, servers: number, region: string): string[] {
  const resources: Resources = template.Resources;
  const systems = ofType(resources, 'AWS::FSx::FileSystem').map(([id]) => id);
  return [
    ...(systems.length === 0 ? ['there is no file system'] : []),
    ...inCycles(resources).map((id) => `${id} waits for itself`),
    ...systems.flatMap((id) => [...rulesMissing(resources, id), ...clientRulesLate(resources, id)]),
    ...limitsPassed(template),
    ...Object.entries(resources).flatMap(left),
    ...addressesMissing(resources, servers),
    ...notOffered(resources, region),
  ];
}
