import { Annotations, Match } from 'aws-cdk-lib/assertions';
import type { Settings } from '../../lib/config/fields';
import { ALLOWED_PATTERNS } from '../../lib/deploy/benchmarkStack';
import { DEPLOYMENT_OUTPUT, deploymentSchema } from '../../lib/schema/deployment';
import {
  deploymentParameter,
  masked,
  ofType,
  type Resource,
  resourcesOf,
  stacksWith,
  templateOf,
  theOnly,
} from '../support/cdk';
import { OPTIONS } from '../support/options';

const { results, bench } = stacksWith();
const resources = resourcesOf(bench);

/** The deployment as the command line reads it, with `<value>` for what CloudFormation fills in. */
function deploymentOf(all: Readonly<Record<string, Resource>>) {
  const { Value } = deploymentParameter(all)[1].Properties;
  const parts = Value['Fn::Join'][1] as unknown[];
  return JSON.parse(parts.map((part) => (typeof part === 'string' ? part : '<value>')).join(''));
}

test('leaves nothing behind when it goes but the logs of its clients, which expire: they tell why a boot failed', () => {
  for (const options of Object.values(OPTIONS)) {
    const kept = Object.entries(resourcesOf(stacksWith(options).bench)).filter(
      ([, { DeletionPolicy = 'Delete', UpdateReplacePolicy = 'Delete' }]) =>
        DeletionPolicy !== 'Delete' || UpdateReplacePolicy !== 'Delete',
    );
    // RetainExceptOnCreate would do the opposite: drop them when a deployment fails, keep them when the stack is removed.
    const expiring = {
      RetentionInDays: 30,
      ...(options.kmsKeyArn && { KmsKeyId: options.kmsKeyArn }),
      ...(options.maxCostUsd && { Tags: [{ Key: 'fsxbench:stack', Value: 'CompressionBench' }] }),
    };
    expect(kept.map(([id, { DeletionPolicy, Properties }]) => [id, DeletionPolicy, Properties])).toEqual([
      ...(options.flowLogs ? [['NetworkFlowLogs2BEC3212', 'Retain', expiring]] : []),
      ['Logs6819BB44', 'Retain', expiring],
    ]);
  }
});

test('uses the results bucket of the other stack, and none of its own', () => {
  expect(ofType(resources, 'AWS::S3::Bucket')).toEqual([]);
  expect(bench.dependencies).toEqual([results]);
  // An exported value cannot be removed while it is imported: results outlive their benchmarks.
  expect(JSON.stringify(resources)).toContain('Fn::ImportValue');
});

test('gives nothing a name of our choice but the key pair, which must have one, and what people look for: dashboard and alarms', () => {
  const names = Object.values(resources).flatMap(({ Type, Properties }) =>
    Object.keys(Properties ?? {})
      .filter((key) =>
        /^(KeyName|RoleName|BucketName|TopicName|AlarmName|DashboardName|LogGroupName|Name|AutoScalingGroupName|LaunchTemplateName)$/.test(
          key,
        ),
      )
      .map((key) => `${Type} ${key}`),
  );
  // Alarms hold no state, and their names hold the stack's (docs/decisions/alarm-names.md).
  expect([...new Set(names)].sort()).toEqual([
    'AWS::CloudWatch::Alarm AlarmName',
    'AWS::CloudWatch::CompositeAlarm AlarmName',
    'AWS::CloudWatch::Dashboard DashboardName',
    'AWS::EC2::KeyPair KeyName',
  ]);
});

describe('the dashboard', () => {
  const inRegion = (region: string) => templateOf(stacksWith({ checkOfferings: false }, { env: { region } }).bench);

  test('is named after its stack and the Region: dashboards are global, and a second one of a name overwrites the first', () => {
    const name = (region: string) =>
      theOnly(inRegion(region).Resources, 'AWS::CloudWatch::Dashboard').Properties.DashboardName;
    expect([name('us-east-1'), name('eu-west-1')]).toEqual([
      'CompressionBench-us-east-1',
      'CompressionBench-eu-west-1',
    ]);
  });

  test.each([
    ['us-east-1', 'console.aws.amazon.com'],
    ['cn-north-1', 'console.amazonaws.cn'],
    ['us-gov-west-1', 'console.amazonaws-us-gov.com'],
  ])('is an output, with its address in %s, beside the topic of its alarms', (region, host) => {
    const { Outputs, Resources } = inRegion(region);
    const [[dashboard] = []] = ofType(Resources, 'AWS::CloudWatch::Dashboard');
    const [[topic] = []] = ofType(Resources, 'AWS::SNS::Topic');
    expect(Outputs.DashboardUrl.Value).toEqual({
      'Fn::Join': ['', [`https://${host}/cloudwatch/home?region=${region}#dashboards/dashboard/`, { Ref: dashboard }]],
    });
    expect(Outputs.AlarmTopic.Value).toEqual({ Ref: topic });
  });
});

test('says what was deployed in a parameter that an output names', () => {
  const { Outputs } = templateOf(bench);
  const [parameter] = deploymentParameter(resources);
  expect(Outputs[DEPLOYMENT_OUTPUT].Value).toEqual({ Ref: parameter });
  const document = deploymentSchema.parse(
    JSON.parse(JSON.stringify(deploymentOf(resources)).replaceAll('<value>', 'value')),
  );
  expect(document).toMatchObject({ benchmark: 'CompressionBench', scale: 'published', clients: 8 });
  expect(document.arms.map(({ name, mountPoint }) => [name, mountPoint])).toEqual([
    ['none', '/fsx/none'],
    ['lz4', '/fsx/lz4'],
  ]);
  expect(document.hourlyUsd).toBeCloseTo(27.1067, 4);
});

test('stays below what a standard parameter holds, at the longest values', () => {
  const text = JSON.stringify(deploymentOf(resources)).replaceAll('<value>', 'x'.repeat(255));
  expect(text.length).toBeLessThan(4096);
});

describe('what it costs', () => {
  test('is said when it is deployed, and in an output', () => {
    Annotations.fromStack(bench).hasInfo(
      '/CompressionBench',
      Match.stringLikeRegexp(
        '^Deploying CompressionBench at scale published costs 27\\.11 USD/h \\(list prices of us-east-1, 2026 to 2026-10-09; of \\d+ prices \\d+ third-party, \\d+ assumed, \\d+ without a date\\), with or without',
      ),
    );
    expect(templateOf(bench).Outputs.HourlyUsd.Value).toBe('27.11');
  });

  test('is unknown, and not zero, where a price is', () => {
    const { bench: spot } = stacksWith({ purchase: 'spot' });
    expect(templateOf(spot).Outputs.HourlyUsd.Value).toBe('unknown');
    expect(deploymentOf(resourcesOf(spot)).hourlyUsd).toBeNull();
    Annotations.fromStack(spot).hasInfo(
      '*',
      Match.stringLikeRegexp('costs more than .*; not known: EC2 c5n\\.9xlarge, spot'),
    );
  });

  test('is unknown without a Region', () => {
    const { bench: nowhere } = stacksWith({}, {});
    expect(templateOf(nowhere).Outputs.HourlyUsd.Value).toBe('unknown');
    Annotations.fromStack(nowhere).hasInfo('*', Match.stringLikeRegexp('set AWS_REGION to see it'));
  });
});

test.each([
  [{ egress: 'endpoints' }, 'fsxbench:endpointsNeedBuildCache'],
  [
    {
      deploymentType: 'PERSISTENT_2',
      perUnitStorageThroughput: 1000,
      storageCapacityGiB: 4800,
      metadataIops: 6000,
      efa: true,
    },
    'fsxbench:efaClientsUseTcp',
  ],
] as const)('warns of %j', (settings, id) => {
  Annotations.fromStack(stacksWith(settings).bench).hasWarning('/CompressionBench', Match.stringLikeRegexp(id));
});

const RESERVED = { purchase: 'capacity-reservation', capacityReservationId: 'cr-0a1b2c3d4e5f60718' } as const;
test.each([
  ['^nobody is notified .*alarmEmail', {}, 1],
  ['^nobody is notified .*alarmEmail', { alarmEmail: 'you@example.com' }, 0],
  ['^nobody is notified .*alarmEmail', { scale: 'smoke' }, 0],
  [
    'is not offered in .*set .availabilityZone. to an id',
    { ...RESERVED, instanceType: 'hpc7g.4xlarge', availabilityZone: 'us-east-1a' },
    0,
  ],
] as const)('says that /%s/ with %j %i times', (text, settings: Settings, times) => {
  const said = Annotations.fromStack(stacksWith(settings).bench).findInfo('*', Match.stringLikeRegexp(text));
  expect(said).toHaveLength(times);
});

test('warns of the vCPUs that it needs, and of nothing at scale smoke, which a new account can deploy', () => {
  const warnings = (settings: Settings) =>
    Annotations.fromStack(stacksWith(settings).bench)
      .findWarning('*', Match.anyValue())
      .map(({ entry }) => String(entry.data));
  expect(warnings({ scale: 'smoke' })).toEqual([]);
  expect(warnings({})).toEqual([
    expect.stringMatching(
      /^the deployment needs 324 vCPUs of .*\(L-1216C47A\) together \(clients 288, builder 36\), above the default quota of 5 .*fsxbench:vcpuQuota/,
    ),
  ]);
});

describe('the document that starts a run', () => {
  const { Content } = (resources.RunDocument422812F1 as Resource).Properties;

  test.each(['$(id)', '`id`', 'a"b', "a'b", 'a;b', 'a b', 'a\nb', '../x', '-rf', ''])(
    'refuses %j for every parameter',
    (value) => {
      for (const [name, pattern] of Object.entries(ALLOWED_PATTERNS)) {
        expect(Content.parameters[name].allowedPattern).toBe(pattern);
        expect(new RegExp(pattern).test(value)).toBe(false);
      }
    },
  );

  test('accepts what the command line sends', () => {
    expect('CompressionBench').toMatch(new RegExp(ALLOWED_PATTERNS.Benchmark));
    expect('20261121-080000-x7k2').toMatch(new RegExp(ALLOWED_PATTERNS.RunId));
    expect('benchresults-bucket83908e77-1abc2def3ghi').toMatch(new RegExp(ALLOWED_PATTERNS.Bucket));
  });
});

test('asks nobody at synth: no look-up is missing in any option', () => {
  for (const options of Object.values(OPTIONS)) {
    const { app } = stacksWith(options, { env: { account: '123456789012', region: 'us-east-1' } });
    expect(app.synth().manifest.missing ?? []).toEqual([]);
  }
});

test('matches its snapshot', () => {
  expect(masked(bench)).toMatchSnapshot();
});
