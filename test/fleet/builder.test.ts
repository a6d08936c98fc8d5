import { Duration } from 'aws-cdk-lib';
import { metadataBench } from '../../lib/benchmark/metadata';
import type { Settings } from '../../lib/config/fields';
import { ofType, type Resource, resourcesOf, stacksWith } from '../support/cdk';

type Resources = Readonly<Record<string, Resource>>;

/** The resource of a type whose id begins like this. */
function one(resources: Resources, type: string, id: string): [string, Resource] {
  const found = ofType(resources, type).filter(([name]) => name.startsWith(id));
  if (found.length !== 1) throw new Error(`${found.length} resources of ${type} that begin with ${id}`);
  return found[0] as [string, Resource];
}

const resourcesWith = (settings: Settings = {}) => resourcesOf(stacksWith(settings).bench);
const resources = resourcesWith();
const [id, instance] = one(resources, 'AWS::EC2::Instance', 'Builder');
const dataOf = (all: Resources, machine: 'Builder' | 'Fleet') =>
  one(all, 'AWS::EC2::LaunchTemplate', machine)[1].Properties.LaunchTemplateData;
const data = dataOf(resources, 'Builder');
const userData = JSON.stringify(data.UserData);

test('terminates itself, is not metered, and opens no port', () => {
  expect(data.InstanceInitiatedShutdownBehavior).toBe('terminate');
  expect(userData).toContain("export FSXBENCH_ROLE='builder'");
  const [, group] = one(resources, 'AWS::EC2::SecurityGroup', 'Builder');
  expect(group.Properties.SecurityGroupIngress).toBeUndefined();
  expect(data.MetadataOptions).toEqual({ HttpTokens: 'required', HttpPutResponseHopLimit: 1 });
});

test('builds on what the clients boot, with their scripts and versions, for their cache', () => {
  const ofFleet = dataOf(resources, 'Fleet');
  expect([data.ImageId, data.InstanceType]).toEqual([ofFleet.ImageId, ofFleet.InstanceType]);
  const exported = (text: unknown, name: string) =>
    new RegExp(`export FSXBENCH_${name}='(.*?)'`).exec(JSON.stringify(text))?.[1];
  for (const name of ['BUNDLE_URL', 'IOR_VERSION', 'OPENMPI_VERSION', 'CACHE_URL', 'STACK']) {
    expect([name, exported(data.UserData, name)]).toEqual([name, exported(ofFleet.UserData, name)]);
  }
  expect(exported(data.UserData, 'CACHE_URL')).toContain('/build-cache/CompressionBench');
});

test('signals itself, in the time that CloudFormation waits', () => {
  expect(instance.CreationPolicy).toEqual({
    ResourceSignal: { Count: 1, Timeout: Duration.minutes(45).toIsoString() },
  });
  expect(userData).toContain(`FSXBENCH_SIGNAL_RESOURCE='${id}'`);
  expect(userData).toContain("FSXBENCH_BOOT_SECONDS='2400'");
});

test('is another one when anything about it changes: one that has terminated itself cannot be updated', () => {
  expect(Object.keys(instance.Properties).sort()).toEqual(['LaunchTemplate', 'SubnetId']);
  expect(JSON.stringify(instance.Properties.LaunchTemplate.Version)).toContain('LatestVersionNumber');
});

test('is done before a client starts, and waits for no file system', () => {
  const [, fleet] = one(resources, 'AWS::AutoScaling::AutoScalingGroup', 'Fleet');
  expect(fleet.DependsOn).toContain(id);
  const systems = ofType(resources, 'AWS::FSx::FileSystem').map(([name]) => name);
  expect((instance.DependsOn ?? []).filter((name) => systems.includes(name))).toEqual([]);
});

test('is bought on demand, in no placement group, however the fleet is bought', () => {
  const reserved = {
    purchase: 'capacity-reservation',
    capacityReservationId: 'cr-0a1b2c3d4e5f60718',
    availabilityZone: 'us-east-1a',
  } as const;
  for (const settings of [{ purchase: 'spot' } as const, reserved]) {
    const template = dataOf(resourcesWith(settings), 'Builder');
    expect([template.InstanceMarketOptions, template.CapacityReservationSpecification, template.Placement]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  }
});

test('has the cache of its own benchmark', () => {
  const other = resourcesOf(stacksWith({}, undefined, undefined, metadataBench).bench);
  expect(JSON.stringify(dataOf(other, 'Builder').UserData)).toContain('/build-cache/MetadataBench');
});
