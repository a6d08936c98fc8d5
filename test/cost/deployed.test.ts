import type { ArmDefinition } from '../../lib/benchmark/benchmark';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { deploymentCost, deploymentLines, partsAt } from '../../lib/cost/deployment';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';
import { type LustreMetricName, metricInfo } from '../../lib/storage/lustre/metricTable';
import { serversOf } from '../../lib/storage/lustre/servers';
import { clientTemplate, ofType, type Resource, resourcesOf, stacksWith } from '../support/cdk';

const arms = compressionBench.arms('published');
const fleet = compressionBench.fleet('published');

function quantity(item: string, egress: 'nat' | 'endpoints'): number | null | undefined {
  return deploymentLines({ arms, fleet, egress, about: compressionBench.about }).find((line) => line.item === item)
    ?.quantity;
}

/** Metrics that an alarm reads: a query reads one for each server or target of a file system. */
function metricsRead({ Properties }: Resource, systems: readonly ArmDefinition[] = arms): number {
  if (Properties.Metrics === undefined) return 1;
  let count = 0;
  for (const { MetricStat, Expression } of Properties.Metrics) {
    const query = /SELECT MAX\((\w+)\)/.exec(JSON.stringify(Expression ?? ''));
    if (query !== null) {
      const { scope } = metricInfo(query[1] as LustreMetricName);
      // The query names its file system by its logical id.
      const text = JSON.stringify(Expression);
      const arm = systems.find(({ name }) => text.includes(`Storage${name.replaceAll('-', '')}`));
      const servers = arm && serversOf(arm.storage as LustreStorage);
      count += (scope === 'ost' ? servers?.ost : scope === 'mds' ? servers?.mds : servers?.oss) ?? Number.NaN;
    } else if (MetricStat !== undefined) count += 1;
  }
  return count;
}

test.each(['nat', 'endpoints'] as const)('what is billed by number is what the stack holds: %s', (egress) => {
  const resources = resourcesOf(stacksWith({ egress }).bench);
  const count = (type: string) => ofType(resources, type).length || undefined;
  const endpoints = ofType(resources, 'AWS::EC2::VPCEndpoint').filter(
    ([, { Properties }]) => Properties.VpcEndpointType === 'Interface',
  );
  expect(quantity('NAT gateway', egress)).toBe(count('AWS::EC2::NatGateway'));
  expect(quantity('public IPv4 address', egress)).toBe(count('AWS::EC2::EIP'));
  expect(quantity('interface endpoint', egress)).toBe(endpoints.length || undefined);
  expect(quantity('composite alarms', egress)).toBe(count('AWS::CloudWatch::CompositeAlarm'));
  expect(quantity('CloudWatch dashboard', egress)).toBe(count('AWS::CloudWatch::Dashboard'));
  const { Monitoring } = clientTemplate(resources).Properties.LaunchTemplateData;
  expect(quantity('metrics of detailed monitoring', egress)).toBe(Monitoring.Enabled ? 7 * fleet.clients : undefined);
  const read = ofType(resources, 'AWS::CloudWatch::Alarm').reduce((sum, [, alarm]) => sum + metricsRead(alarm), 0);
  expect(quantity('metrics that alarms watch', egress)).toBe(read);
});

test('a stack that never expires pays for no alarm on its end', () => {
  const resources = resourcesOf(stacksWith({ expiresAfterHours: 'never' }).bench);
  const lines = deploymentLines({ arms, fleet, about: compressionBench.about, expires: false });
  const read = ofType(resources, 'AWS::CloudWatch::Alarm').reduce((sum, [, alarm]) => sum + metricsRead(alarm), 0);
  expect(lines.find(({ item }) => item === 'metrics that alarms watch')?.quantity).toBe(read);
  expect(lines.find(({ item }) => item === 'composite alarms')?.quantity).toBe(
    ofType(resources, 'AWS::CloudWatch::CompositeAlarm').length,
  );
});

test.each(['published', 'smoke'] as const)('counts the metrics that alarms on metadata watch, at scale %s', (scale) => {
  const systems = metadataBench.arms(scale);
  const resources = resourcesOf(stacksWith({ scale }, undefined, undefined, metadataBench).bench);
  const read = ofType(resources, 'AWS::CloudWatch::Alarm').reduce((sum, [, it]) => sum + metricsRead(it, systems), 0);
  const line = deploymentCost(partsAt(metadataBench, scale)).lines.find(
    ({ item }) => item === 'metrics that alarms watch',
  );
  expect(line?.quantity).toBe(read);
});
