import { readLikeCdk } from '../../../lib/common/aws/environment';

test.each([
  ['the default Region of the AWS CLI', { AWS_DEFAULT_REGION: 'eu-west-1' }, { AWS_REGION: 'eu-west-1' }],
  ['both Regions', { AWS_REGION: 'us-east-2', AWS_DEFAULT_REGION: 'eu-west-1' }, { AWS_REGION: 'us-east-2' }],
  [
    'an empty Region beside the default',
    { AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-west-1' },
    { AWS_REGION: 'eu-west-1' },
  ],
  ['the default profile of the AWS CLI', { AWS_DEFAULT_PROFILE: 'bench' }, { AWS_PROFILE: 'bench' }],
  ['both profiles', { AWS_PROFILE: 'mine', AWS_DEFAULT_PROFILE: 'bench' }, { AWS_PROFILE: 'mine' }],
])('%s means to the SDK what it means to the CDK', (_, variables, expected) => {
  const environment = { ...variables };
  readLikeCdk(environment);
  expect(environment).toMatchObject(expected);
});

test('an empty variable is none', () => {
  const environment = { AWS_PROFILE: '', AWS_REGION: '' };
  readLikeCdk(environment);
  expect(environment).toEqual({});
});

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

test('keys go before a profile, which may still name the Region', () => {
  const environment = { ...KEYS, AWS_REGION: 'eu-west-1', AWS_PROFILE: 'mine' };
  readLikeCdk(environment);
  expect(environment).toEqual({ ...KEYS, AWS_REGION: 'eu-west-1' });
  const regionOfProfile = { ...KEYS, AWS_PROFILE: 'mine' };
  readLikeCdk(regionOfProfile);
  expect(regionOfProfile).toEqual({ ...KEYS, AWS_PROFILE: 'mine' });
});
