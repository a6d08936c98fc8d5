import { readLikeCdk } from '../../../lib/kit/aws/environment';

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
