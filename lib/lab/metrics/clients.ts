import { readFile } from 'node:fs/promises';
import { type CloudWatchClient, type MetricDatum, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import type { Deployment } from '../../schema/deployment';
import type { LinkCounters } from '../model/machine';

/** Counters of this computer since its start, which all clients of the lab share. */
export interface ClientCounters {
  /** Ticks of all processors together. */
  readonly busy: number;
  readonly total: number;
  /** Bytes over every interface but the loopback one. */
  readonly received: number;
  readonly sent: number;
}

/** Reads `/proc/stat` (proc(5): user, nice, system, idle, iowait, irq, softirq, steal; guests' time is a part of user's) and `/proc/net/dev`. */
export function clientCounters(stat: string, net: string): ClientCounters {
  const ticks = (/^cpu +(.*)$/m.exec(stat)?.[1] ?? '').split(' ').slice(0, 8).map(Number);
  const [, , , idle = 0, iowait = 0] = ticks;
  const total = ticks.reduce((sum, value) => sum + value, 0);
  let [received, sent] = [0, 0];
  for (const [, name, counts = ''] of net.matchAll(/^ *([^\s:]+): *(.*)$/gm)) {
    if (name === 'lo') continue;
    const columns = counts.split(/ +/).map(Number);
    received += columns[0] ?? 0;
    sent += columns[8] ?? 0;
  }
  return { busy: total - idle - iowait, total, received, sent };
}

/** Adds the traffic of servers: bytes that they received are bytes that clients sent. */
export const withLinks = (own: ClientCounters, links: readonly (LinkCounters | null)[]): ClientCounters => ({
  ...own,
  received: links.reduce((sum, link) => sum + (link?.sent ?? 0), own.received),
  sent: links.reduce((sum, link) => sum + (link?.received ?? 0), own.sent),
});

/** EC2 metrics from the growth of counters. An interface that disappeared takes its bytes with it: less than before counts as nothing. */
export function clientData(
  before: ClientCounters,
  now: ClientCounters,
): { name: string; unit: MetricDatum['Unit']; value: number }[] {
  const ticks = now.total - before.total;
  return [
    ...(ticks > 0
      ? [{ name: 'CPUUtilization', unit: 'Percent' as const, value: (100 * (now.busy - before.busy)) / ticks }]
      : []),
    { name: 'NetworkIn', unit: 'Bytes', value: Math.max(0, now.received - before.received) },
    { name: 'NetworkOut', unit: 'Bytes', value: Math.max(0, now.sent - before.sent) },
  ];
}

/** Publishes at each call this computer's work since the last one as the clients'. @param links of servers whose traffic is on no interface of it */
export function clientPublisher(
  client: CloudWatchClient,
  { autoScalingGroup, instanceType }: Pick<Deployment, 'autoScalingGroup' | 'instanceType'>,
  links: () => Promise<readonly (LinkCounters | null)[]>,
): (at: Date) => Promise<number> {
  const dimensions = [
    ...(autoScalingGroup === null ? [] : [{ Name: 'AutoScalingGroupName', Value: autoScalingGroup }]),
    { Name: 'InstanceType', Value: instanceType },
  ];
  let before: ClientCounters | null = null;
  let known: readonly (LinkCounters | null)[] = [];
  return async (at) => {
    const [stat, net, linked] = await Promise.all([
      readFile('/proc/stat', 'utf8'),
      readFile('/proc/net/dev', 'utf8'),
      links(),
    ]);
    // One that does not answer now has the bytes of this period in the next.
    known = linked.map((link, index) => link ?? known[index] ?? null);
    const now = withLinks(clientCounters(stat, net), known);
    const data = before === null ? [] : clientData(before, now);
    before = now;
    const MetricData = data.flatMap(({ name, unit, value }) =>
      // Each dimension by itself, as EC2 sums up its instances.
      dimensions.map((dimension) => ({
        MetricName: name,
        Value: value,
        Unit: unit,
        Dimensions: [dimension],
        Timestamp: at,
        StorageResolution: 1,
      })),
    );
    if (MetricData.length > 0) await client.send(new PutMetricDataCommand({ Namespace: 'AWS/EC2', MetricData }));
    return MetricData.length;
  };
}
