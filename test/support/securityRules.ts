import type { Resource } from './cdk';
import { createdBefore, type Resources } from './templateGraph';

type Direction = 'Ingress' | 'Egress';
// biome-ignore lint/suspicious/noExplicitAny: rules are JSON of any shape
type Rule = any;

const PEER = { Ingress: 'SourceSecurityGroupId', Egress: 'DestinationSecurityGroupId' } as const;
const groupOf = (value: unknown): string | undefined => (value as { 'Fn::GetAtt'?: string[] })?.['Fn::GetAtt']?.[0];

/** Ids of a group's rules that are separate resources. */
function separate(resources: Resources, group: string, direction: Direction): [string, Resource][] {
  return Object.entries(resources).filter(
    ([, { Type, Properties }]) =>
      Type === `AWS::EC2::SecurityGroup${direction}` && groupOf(Properties.GroupId) === group,
  );
}

const permits = (rule: Rule, port: number): boolean =>
  rule.IpProtocol === '-1' || (rule.IpProtocol === 'tcp' && rule.FromPort <= port && port <= rule.ToPort);

/**
 * Faults that FSx would find in the groups of a file system at the moment of its creation, when only what it waits for is there for
 * certain. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/cannot-create-fs.html
 */
export function rulesMissing(resources: Resources, id: string): string[] {
  const { SecurityGroupIds, LustreConfiguration } = (resources[id] as Resource).Properties;
  const there = createdBefore(resources, id);
  // FSx checks rules only when it creates a Lustre file system.
  if (LustreConfiguration === undefined) return [];
  const efa = LustreConfiguration.EfaEnabled === true;
  return (SecurityGroupIds as unknown[]).flatMap((value) => {
    const group = groupOf(value);
    if (group === undefined || resources[group] === undefined) return [`${id}: its group is not in the template`];
    return (['Ingress', 'Egress'] as const).flatMap((direction) => {
      const rules = separate(resources, group, direction);
      const late = rules.filter(([rule]) => !there.has(rule)).map(([rule]) => `${id} may be created before ${rule}`);
      const inline: Rule[] = resources[group]?.Properties[`SecurityGroup${direction}`] ?? [];
      const named = rules.filter(([rule]) => there.has(rule)).map(([, { Properties }]) => Properties);
      // Ranges do not count for EFA.
      const counting = efa ? named.filter((rule) => groupOf(rule[PEER[direction]]) === group) : [...inline, ...named];
      const closed = [988, 1018, 1023]
        .filter((port) => !counting.some((rule) => permits(rule, port)))
        .map((port) => `${id} is created with a group that is closed for ${direction} on ${port}`);
      return [...late, ...closed];
    });
  });
}

/** The rules that let clients and an EFA file system reach one another, on the clients' side. */
export function clientRulesLate(resources: Resources, id: string): string[] {
  const { SecurityGroupIds, LustreConfiguration } = (resources[id] as Resource).Properties;
  if (LustreConfiguration?.EfaEnabled !== true) return [];
  const there = createdBefore(resources, id);
  const own = (SecurityGroupIds as unknown[]).map(groupOf);
  const late = (['Ingress', 'Egress'] as const).flatMap((direction) =>
    Object.entries(resources).filter(
      ([rule, { Type, Properties }]) =>
        Type === `AWS::EC2::SecurityGroup${direction}` &&
        own.includes(groupOf(Properties[PEER[direction]])) &&
        !there.has(rule),
    ),
  );
  return late.map(([rule]) => `${id} may be created before ${rule}`);
}
