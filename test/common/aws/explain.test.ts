import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudWatchClient, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import { STS } from '@aws-sdk/client-sts';
import { boundedBy } from '../../../lib/common/aws/connection';
import { readLikeCdk } from '../../../lib/common/aws/environment';
import { explain } from '../../../lib/common/aws/explain';

test('a service that is silent is told as one, with the next step', async () => {
  const open: Socket[] = [];
  const server = createServer((socket) => open.push(socket));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const client = new CloudWatchClient({
    ...boundedBy(0.05),
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  });
  const error = await client.send(new ListMetricsCommand({})).catch((failure: unknown) => failure);
  expect(explain(error)).toMatch(/did not answer in time: try again, or check the network and AWS_REGION$/);
  client.destroy();
  for (const socket of open) socket.destroy();
  server.close();
});

test('a network that puts its own certificates in the place of others is told, with the variable that trusts them', () => {
  expect(explain(new Error('self-signed certificate in certificate chain'))).toBe(
    'the certificate that answers for AWS is not trusted (self-signed certificate in certificate chain): ' +
      'name a file with those of your network in AWS_CA_BUNDLE',
  );
});

describe('credentials', () => {
  const before = { ...process.env };
  const home = mkdtempSync(join(tmpdir(), 'fsxbench-home-'));
  /** A token of a session, as `aws sso login` keeps it. */
  const keep = (expiresAt: string): void => {
    const client = { clientId: 'id', clientSecret: 'secret', refreshToken: 'token' };
    const token = { startUrl: 'https://corp.awsapps.com/start', region: 'us-east-1', accessToken: 'token', expiresAt };
    const name = createHash('sha1').update('corp').digest('hex');
    writeFileSync(join(home, `.aws/sso/cache/${name}.json`), JSON.stringify({ ...token, ...client }));
  };
  beforeAll(() => {
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    mkdirSync(join(home, '.aws/sso/cache'), { recursive: true });
    const session = 'sso_start_url = https://corp.awsapps.com/start\nsso_region = us-east-1';
    const profile = 'sso_session = corp\nsso_account_id = 123456789012\nsso_role_name = Admin';
    const login = 'login_session = arn:aws:iam::123456789012:user/ann';
    const role =
      'role_arn = arn:aws:iam::123456789012:role/Bench\nsource_profile = keys\nmfa_serial = arn:aws:iam::123456789012:mfa/ann';
    writeFileSync(join(home, '.aws/credentials'), '[keys]\naws_access_key_id = a\naws_secret_access_key = b\n');
    const config = `[profile mfa]\n${role}\n[sso-session corp]\n${session}\n[profile corp]\n${profile}\n[profile login]\n${login}\n`;
    writeFileSync(join(home, '.aws/config'), config);
    Object.assign(process.env, { HOME: home, AWS_REGION: 'us-east-1', AWS_EC2_METADATA_DISABLED: 'true' });
  });
  afterAll(() => {
    process.env = before;
    rmSync(home, { recursive: true });
  });

  const SIGNED_OUT = 'you are not signed in to AWS, or no longer';
  test.each([
    ['of a session that nobody began', 'corp', null, `${SIGNED_OUT}: aws sso login`],
    ['of a session that has ended', 'corp', '2026-01-01T00:00:00Z', `${SIGNED_OUT}: aws sso login`],
    ['of a login that has ended', 'login', null, `${SIGNED_OUT}: aws login`],
    [
      'of a role that takes a code',
      'mfa',
      null,
      "the profile 'mfa' takes a code (MFA), for which only the AWS CLI asks: " +
        'eval "$(aws configure export-credentials --format env)"; unset AWS_PROFILE',
    ],
    [
      'of a profile that does not exist',
      'nobody',
      null,
      "there are no AWS credentials for the profile 'nobody': aws configure sso, or set AWS_PROFILE; the lab needs none: npm run quickstart",
    ],
  ])('%s are told with the command that gets some', async (_, profile, expiresAt, message) => {
    process.env.AWS_PROFILE = profile;
    if (expiresAt !== null) keep(expiresAt);
    const error = await new STS({ region: 'us-east-1' }).getCallerIdentity({}).catch((failure: unknown) => failure);
    expect(explain(error)).toBe(message);
  });

  test('that a service calls expired, too', () => {
    const error = Object.assign(new Error('The provided token has expired.'), { name: 'ExpiredToken' });
    expect(explain(error)).toBe('the AWS credentials have expired: aws sso login');
    process.env.AWS_SESSION_TOKEN = 'of an hour ago';
    expect(explain(error)).toBe(
      'the AWS credentials in AWS_SESSION_TOKEN have expired: ' +
        'unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN, or set new ones',
    );
  });
});

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
