import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const CDK_JSON = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')) as { app: string; context: object };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-app-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the application as the CDK command line does, without credentials. */
function runApp(context: Record<string, unknown>, environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', CDK_JSON.app], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CDK_OUTDIR: join(folder, 'cdk.out'),
      CDK_DEFAULT_REGION: 'us-east-1',
      CDK_CONTEXT_JSON: JSON.stringify({ ...CDK_JSON.context, ...context }),
      CDK_VALIDATION: 'false',
      ...environment,
    },
  });
  const template = (stack: string) => join(folder, 'cdk.out', `${stack}.template.json`);
  return { status, stdout, stderr, template };
}

test('writes both stacks without credentials', () => {
  const { status, stdout, stderr, template } = runApp({});
  expect([status, stdout, stderr]).toEqual([0, '', '']);
  expect(existsSync(template('BenchResults'))).toBe(true);
  expect(existsSync(template('CompressionBench'))).toBe(true);
});

test('lets the CDK command line say on stderr what a deployment costs', () => {
  const { status, stderr } = spawnSync(
    join(ROOT, 'node_modules/.bin/cdk'),
    ['synth', '--quiet', '--output', join(folder, 'cdk.out'), '-c', 'scale=smoke'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        AWS_REGION: 'us-east-1',
        AWS_EC2_METADATA_DISABLED: 'true',
        CDK_VALIDATION: 'false',
      },
    },
  );
  expect(stderr).toMatch(
    /Deploying CompressionBench at scale smoke costs 0\.74 USD\/h \(list prices of 2026-10-09, us-east-1\)/,
  );
  expect(status).toBe(0);
}, 60_000);

test("finds nothing with CDK's own check of templates", () => {
  const { status, stderr } = runApp({}, { CDK_VALIDATION: 'true' });
  expect(status).toBe(0);
  expect(stderr).not.toMatch(/WARNING|ERROR/);
}, 60_000);

test('takes what -c says', () => {
  const { template } = runApp({ scale: 'smoke', CompressionBench: { clients: 4 } });
  const { Resources } = JSON.parse(readFileSync(template('CompressionBench'), 'utf8'));
  const sizes = Object.values(Resources as Record<string, { Type: string; Properties: { MinSize?: string } }>)
    .filter(({ Type }) => Type === 'AWS::AutoScaling::AutoScalingGroup')
    .map(({ Properties }) => Properties.MinSize);
  expect(sizes).toEqual(['4']);
});

test.each([
  [
    { clients: '7', scael: 'smoke' },
    "  'scael' is not a setting. Did you mean 'scale'?\n" +
      '  \'clients\' must be an even whole number from 2 to 1000, got "7". Each of the two arms is driven by one half of the fleet.\n',
  ],
  [
    { storageCapacityGiB: '1300' },
    "  'storageCapacityGiB' must be 1200 or a multiple of 2400 with PERSISTENT_1 SSD, got 1300: take 1200 or 2400 (GiB) [fsxbench:lustre-capacity]\n",
  ],
  [
    { vpcId: 'vpc-0a1b2c3d4e5f60718' },
    '  \'vpcId\' must be looked up in an account, got "vpc-0a1b2c3d4e5f60718" without credentials. Configure them (aws configure), or leave it out for a VPC of its own.\n',
  ],
])('refuses %j in clear words, without a stack trace and before anything is written', (context, problems) => {
  const { status, stdout, stderr, template } = runApp(context);
  expect(status).toBe(1);
  expect(stderr).toBe(`\nThe configuration cannot be used:\n${problems}\n`);
  expect(stdout).toBe('');
  expect(existsSync(template('CompressionBench'))).toBe(false);
});
