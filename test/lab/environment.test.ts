import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emulatorEnvironment } from '../../lib/lab/emulator';
import { labPaths } from '../../lib/lab/paths';

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

const paths = labPaths(mkdtempSync(join(tmpdir(), 'environment-')));
mkdirSync(paths.lab);
writeFileSync(paths.emulatorKey, 'LABSECRET');
const environment = () => emulatorEnvironment(paths, 'http://127.0.0.1:4000');

test('no AWS setting of the user reaches a lab, such as one that names a service elsewhere', () => {
  const users = { AWS_PROFILE: 'mine', AWS_ENDPOINT_URL_S3: 'https://minio', AWS_USE_FIPS_ENDPOINT: 'true' };
  Object.assign(process.env, users, { AWS_CA_BUNDLE: '/etc/corp.pem', AWS_REGION: 'eu-west-1' });
  expect(environment()).toMatchObject({
    AWS_PROFILE: undefined,
    AWS_ENDPOINT_URL_S3: undefined,
    AWS_USE_FIPS_ENDPOINT: undefined,
    AWS_CA_BUNDLE: undefined,
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:4000',
  });
  expect(Object.keys(environment())).toEqual(expect.arrayContaining(Object.keys(users)));
});

test("the emulator is not asked for through the user's proxy, however often a shell takes the variables", () => {
  delete process.env.no_proxy;
  process.env.NO_PROXY = '.corp.example,localhost';
  const expected = { NO_PROXY: '.corp.example,localhost,127.0.0.1', no_proxy: 'localhost,127.0.0.1' };
  expect(environment()).toMatchObject(expected);
  Object.assign(process.env, expected);
  expect(environment()).toMatchObject(expected);
});
