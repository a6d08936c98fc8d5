import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { storageBench } from '../../lib/benchmark/storage';
import { ConfigurationError } from '../../lib/common/configurationError';
import { resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import { ofType, resourcesOf, stacksWith } from '../support/cdk';

function problems(settings: Settings, region?: string): readonly string[] {
  try {
    resolveBenchmark(compressionBench, settings, region);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}
const LIST =
  "If AWS now offers it there, set 'checkOfferings' to false: aws ec2 describe-instance-type-offerings " +
  '--location-type availability-zone-id --filters Name=instance-type,Values=';

test.each([
  [
    { availabilityZone: 'use1-az3' },
    'us-east-1',
    '\'availabilityZone\' must be a zone that offers c5n.9xlarge, got "use1-az3", which did not on 2026-10-27. ' +
      `Use use1-az1 (or use1-az2, use1-az4, use1-az5, use1-az6). ${LIST}c5n.9xlarge --region us-east-1`,
  ],
  [
    { availabilityZone: 'euw2-az4' },
    // The id alone determines the Region.
    undefined,
    '\'availabilityZone\' must be a zone that offers c5n.9xlarge, got "euw2-az4", which did not on 2026-10-27. ' +
      `Use euw2-az1 (or euw2-az2, euw2-az3). ${LIST}c5n.9xlarge --region eu-west-2`,
  ],
  [
    {},
    'ap-south-2',
    '\'instanceType\' must be a type that ap-south-2 offers, got "c5n.9xlarge", which it did not on 2026-10-27. ' +
      'Use c6in.12xlarge, which is at least as large in every respect, or a Region such as af-south-1, ap-east-1, ap-northeast-1. ' +
      `${LIST}c5n.9xlarge --region ap-south-2`,
  ],
  [
    { availabilityZone: 'ap-south-2a' },
    undefined,
    expect.stringContaining('\'instanceType\' must be a type that ap-south-2 offers, got "c5n.9xlarge"'),
  ],
  [
    { vpcId: 'vpc-0a1b2c3d4e5f60718', availabilityZone: 'use1-az1' },
    'us-east-1',
    expect.stringContaining("'availabilityZone' must be the name of a zone with 'vpcId', got \"use1-az1\"."),
  ],
])('refuses %j in %s before anything is deployed', (settings, region, message) => {
  expect(problems(settings, region)).toEqual([message]);
});

const UNKNOWN = (region: string): string =>
  `AWS_REGION must be a Region whose offerings fsxbench knows, got "${region}". Check that it offers the file systems and the instance type, then set 'checkOfferings' to false.`;

test.each<[string, Settings, string, string[]]>([
  [
    'the versions of China',
    {},
    'cn-north-1',
    [
      "'lustreVersion' must be 2.10 or 2.12 in cn-north-1, got 2.15. Take 2.12, which clients on Amazon Linux 2023 can mount. If AWS now offers it there, set 'checkOfferings' to false.",
      UNKNOWN('cn-north-1'),
    ],
  ],
  [
    'the types of China',
    { deploymentType: 'SCRATCH_2', lustreVersion: '2.12' },
    'cn-northwest-1',
    [
      "'deploymentType' must be a type that cn-northwest-1 offers (PERSISTENT_1 SSD, PERSISTENT_1 HDD), got SCRATCH_2. Choose one of them, or another Region. If AWS now offers it there, set 'checkOfferings' to false.",
      UNKNOWN('cn-northwest-1'),
    ],
  ],
  ['a Region that fsxbench does not know', {}, 'eusc-de-east-1', [UNKNOWN('eusc-de-east-1')]],
])('refuses %s, with the override', (_, settings, region, messages) => {
  expect(problems(settings, region)).toEqual(messages);
  expect(problems({ ...settings, checkOfferings: false }, region)).toEqual([]);
});

test('refuses OpenZFS where Single-AZ 2 is absent, as GovCloud (US-East) and Osaka', () => {
  const refused = (region: string) => () =>
    resolveBenchmark(storageBench, { arms: ['openzfs'], instanceType: 'c6i.8xlarge' }, region);
  for (const region of ['us-gov-east-1', 'ap-northeast-3'])
    expect(refused(region)).toThrow(`must be a type that ${region} offers, got SINGLE_AZ_2. Choose another Region`);
  expect(refused('us-east-1')).not.toThrow();
});

test.each([
  [{ availabilityZone: 'use1-az1' }, 'us-east-1'],
  // A name means another zone in each account.
  [{ availabilityZone: 'us-east-1e' }, 'us-east-1'],
  [{}, undefined],
  [{ instanceType: 'c99n.9xlarge' }, 'us-east-1'],
  [{ availabilityZone: 'use1-az3', checkOfferings: false }, 'us-east-1'],
  [
    {
      availabilityZone: 'use1-az3',
      purchase: 'capacity-reservation',
      capacityReservationId: 'cr-0a1b2c3d4e5f60718',
    },
    'us-east-1',
  ],
] as const)('takes %j in %s', (settings, region) => {
  expect(problems(settings as Settings, region)).toEqual([]);
});

test('puts every subnet into the zone of the id', () => {
  const subnets = ofType(resourcesOf(stacksWith({ availabilityZone: 'use1-az2' }).bench), 'AWS::EC2::Subnet');
  expect(subnets.map(([, { Properties }]) => [Properties.AvailabilityZoneId, Properties.AvailabilityZone])).toEqual([
    ['use1-az2', undefined],
    ['use1-az2', undefined],
  ]);
});

test.each([
  ['us-east-1a', { availabilityZone: 'us-east-1a' }, compressionBench, true],
  ['the first zone', {}, compressionBench, true],
  ['an id', { availabilityZone: 'use1-az2' }, compressionBench, false],
  ['the first zone', {}, metadataBench, true],
] as const)(
  'says that the zone may lack the type only where nobody can know: %s',
  (_, settings, definition, warned) => {
    const { bench } = stacksWith(settings, undefined, {}, definition);
    const said = Annotations.fromStack(bench).findInfo('*', Match.stringLikeRegexp('is not offered in use1-az3'));
    expect(said.length > 0).toBe(warned);
  },
);

test.each([
  ['eu-west-1', {}],
  ['us-east-2', { availabilityZone: 'us-east-2b' }],
])('says nothing of it in %s, whose zones all have it', (region, settings) => {
  const { bench } = stacksWith(settings, { env: { region } });
  expect(Annotations.fromStack(bench).findInfo('*', Match.stringLikeRegexp('is not offered'))).toEqual([]);
});

test('refuses a zone of another Region, by its id too, and before anything is synthesised', () => {
  expect(problems({ availabilityZone: 'eu-west-1a' }, 'us-east-1')).toEqual([
    expect.stringContaining("'availabilityZone' must be in the Region"),
  ]);
  expect(() => stacksWith({ availabilityZone: 'euw1-az1' })).toThrow(
    '\'availabilityZone\' must be in the Region of the deployment, us-east-1, got "euw1-az1".',
  );
});
