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

test.each<[Settings, string | undefined]>([
  [{ availabilityZone: 'use1-az3' }, 'us-east-1'],
  // The id alone determines the Region.
  [{ availabilityZone: 'euw2-az4' }, undefined],
  [{}, 'ap-south-2'],
  [{ availabilityZone: 'ap-south-2a' }, undefined],
  [{ vpcId: 'vpc-0a1b2c3d4e5f60718', availabilityZone: 'use1-az1' }, 'us-east-1'],
  // The versions and the types of China, and a Region that fsxbench does not know.
  [{}, 'cn-north-1'],
  [{ deploymentType: 'SCRATCH_2', lustreVersion: '2.12' }, 'cn-northwest-1'],
  [{}, 'eusc-de-east-1'],
])('refuses %j in %s before anything is deployed, in the words of the snapshot', (settings, region) => {
  expect(problems(settings, region)).toMatchSnapshot();
});

test.each<[Settings, string]>([
  [{}, 'cn-north-1'],
  [{ deploymentType: 'SCRATCH_2', lustreVersion: '2.12' }, 'cn-northwest-1'],
  [{}, 'eusc-de-east-1'],
])('takes %j in %s where offerings are not checked', (settings, region) => {
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
    { availabilityZone: 'use1-az3', purchase: 'capacity-reservation', capacityReservationId: 'cr-0a1b2c3d4e5f60718' },
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

test.each(['eu-west-1a', 'euw1-az1'])('refuses %s, a zone of another Region', (availabilityZone) => {
  expect(problems({ availabilityZone }, 'us-east-1')).toEqual([
    `'availabilityZone' must be in the Region of the deployment, us-east-1, got "${availabilityZone}". Choose a zone there, or set AWS_REGION.`,
  ]);
});
