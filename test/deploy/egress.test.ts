import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { offloadBench } from '../../lib/benchmark/offload';
import { storageBench } from '../../lib/benchmark/storage';
import { resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import { deploymentLines, partsOf } from '../../lib/cost/deployment';
import { ofType, type Resource, resourcesOf, stacksWith } from '../support/cdk';
import { DEPLOYED } from '../support/deployed';
import { type Call, isAllowed, principalsOf } from '../support/policies';

const resourcesWith = (definition: Benchmark, settings: Settings = {}) =>
  resourcesOf(stacksWith(settings, undefined, undefined, definition).bench);

/** Services with an interface endpoint. */
function endpoints(resources: Readonly<Record<string, Resource>>): string[] {
  return ofType(resources, 'AWS::EC2::VPCEndpoint')
    .filter(([, { Properties }]) => Properties.VpcEndpointType === 'Interface')
    .map(([, { Properties }]) => /\.([a-z0-9]+)["\]}]+$/.exec(JSON.stringify(Properties.ServiceName))?.[1] ?? '')
    .sort();
}

describe.each(DEPLOYED.map((definition) => [definition.name, definition] as const))('%s', (_, definition) => {
  const resources = resourcesWith(definition);

  test('lets nothing out to the internet but HTTPS', () => {
    const rules = [
      ...ofType(resources, 'AWS::EC2::SecurityGroup').flatMap(
        ([, { Properties }]) => Properties.SecurityGroupEgress ?? [],
      ),
      ...ofType(resources, 'AWS::EC2::SecurityGroupEgress').map(([, { Properties }]) => Properties),
    ].filter(({ CidrIp, CidrIpv6 }) => CidrIp === '0.0.0.0/0' || CidrIpv6 !== undefined);
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.filter(({ CidrIp, FromPort, ToPort }) => !CidrIp || FromPort !== 443 || ToPort !== 443)).toEqual([]);
  });

  test('shows people the log of each machine, and gives them a shell on all but the builder', () => {
    const group = Object.keys(resources).find((id) => /^Logs\w+$/.test(id) && !id.includes('Network'));
    const machines = principalsOf(resources).filter(({ name }) =>
      /^(Clients|Nodes|Builder|Master|Chunk|Server)/.test(name),
    );
    const write: Call = {
      action: 'logs:PutLogEvents',
      resource: `arn:aws:logs:us-east-1:123456789012:log-group:${group}:log-stream:i-0/boot`,
    };
    const open: Call = { action: 'ssmmessages:OpenDataChannel', resource: '*' };
    const may = (call: Call) => machines.filter((one) => isAllowed(one, call, resources)).map(({ name }) => name);
    expect(machines.length).toBeGreaterThan(0);
    expect(may(write)).toEqual(machines.map(({ name }) => name));
    expect(may(open)).toEqual(machines.map(({ name }) => name).filter((name) => !name.startsWith('Builder')));
    for (const [id, { Properties }] of ofType(resources, 'AWS::EC2::LaunchTemplate')) {
      const text = JSON.stringify(Properties.LaunchTemplateData.UserData);
      // A cluster's nodes get it as an argument.
      if (text !== undefined) expect([id, /FSXBENCH_LOG_GROUP='/.test(text)]).toEqual([id, true]);
    }
  });
});

describe('without internet access', () => {
  const CALLED: Readonly<Record<string, string | null>> = {
    cloudwatch: 'monitoring',
    // Through the gateway; and by agents of pinned images, which then need a NAT gateway.
    s3: null,
    ec2messages: null,
    // EC2 asks it for whoever attaches an encrypted volume.
    kms: null,
  };

  test.each<[string, Benchmark, Settings, boolean]>([
    ['CompressionBench', compressionBench, {}, false],
    ['MetadataBench', metadataBench, {}, false],
    [
      'arms of which some are attached by their client',
      storageBench,
      { arms: ['lustre', 'efs', 'btrfs', 'xfs'] },
      true,
    ],
    ['arms of which none is', storageBench, { arms: ['lustre', 'efs'] }, false],
  ])('machines reach every service that they may call: %s', (_, definition, settings, ec2) => {
    const isolated: Settings = { ...settings, egress: 'endpoints' };
    const resources = resourcesWith(definition, isolated);
    const machines = principalsOf(resources).filter(({ name }) => /^(Clients|Builder)/.test(name));
    const services = machines
      .flatMap(({ statements }) => statements.flatMap(({ Action }) => [Action].flat()))
      .map((action) => String(action).split(':')[0] ?? '')
      .map((service) => (service in CALLED ? CALLED[service] : service));
    // A signal to CloudFormation is signed with the instance's identity document, without a role.
    const needed = [...new Set([...services.filter((one) => one !== null), 'cloudformation'])].sort();
    expect(endpoints(resources)).toEqual(needed);
    expect(needed.includes('ec2')).toBe(ec2);
    const [line] = deploymentLines(partsOf(resolveBenchmark(definition, isolated, 'us-east-1'))).filter(
      ({ item }) => item === 'interface endpoint',
    );
    expect(line?.quantity).toBe(needed.length);
  });

  test.each<[string, Benchmark, Settings, string]>([
    [
      'MooseFS',
      storageBench,
      {},
      `'egress' must be nat with arm moosefs, whose servers fetch the MooseFS source, got "endpoints". Leave it out, or leave the arm out with 'arms'.`,
    ],
    [
      'Lustre on ZFS',
      offloadBench,
      { arms: ['off'] },
      `'egress' must be nat with arm off, whose servers install Lustre and Linux packages, got "endpoints". Leave it out, or leave the arm out with 'arms'.`,
    ],
  ])('an arm whose servers need it is refused before anything is deployed: %s', (_, definition, settings, message) => {
    expect(() => resolveBenchmark(definition, { ...settings, egress: 'endpoints' }, 'us-east-1')).toThrow(message);
    expect(() => resolveBenchmark(definition, settings, 'us-east-1')).not.toThrow();
  });
});

test('every documented look-up of an image by its name finds those that count as deprecated, as old ones do', () => {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'lustre-zfs.md'), 'utf8').replaceAll('\\\n', ' ');
  const lookups = page.split('\n').filter((line) => line.includes('ec2 describe-images') && line.includes('Name=name'));
  expect(lookups.length).toBeGreaterThan(0);
  for (const line of lookups) expect(line).toContain('--include-deprecated');
});
