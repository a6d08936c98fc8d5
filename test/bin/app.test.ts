import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Environment } from 'aws-cdk-lib';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { compressionBench } from '../../lib/benchmark/compression';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { ConfigurationError } from '../../lib/common/configurationError';
import { resolveAll } from '../../lib/config/app';
import { DEPLOYABLE_KINDS } from '../../lib/constructs/storage/registry';
import { makeStacks } from '../../lib/deploy/application';
import { storageOf } from '../../lib/storage/lookup';
import { STORAGES } from '../../lib/storage/registry';
import { appWithFlags } from '../support/cdk';

const ROOT = join(__dirname, '../..');
const CDK_JSON = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')) as { app: string; context: object };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-app-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const stacksOf = (context: Record<string, unknown>, env: Environment = { region: 'us-east-1' }) => {
  const app = appWithFlags(context);
  return { app, ...makeStacks(app, env) };
};

/** Problems of the whole application; '' where it makes stacks. */
function refusal(context: Record<string, unknown>): string {
  try {
    stacksOf(context);
    return '';
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map((problem) => `  ${problem}\n`).join('');
    throw error;
  }
}

/** Problems by stack. */
const refusals = (context: Record<string, unknown>, env?: Environment): Record<string, readonly string[]> =>
  Object.fromEntries(stacksOf(context, env).refused.map(({ name, problems }) => [name, problems]));

/** Output of the CDK CLI for settings, where these stacks are selected. */
function synthesise(stacks: readonly string[], settings: readonly string[]) {
  const { status, stderr } = spawnSync(
    join(ROOT, 'node_modules/.bin/cdk'),
    ['synth', '--quiet', '--output', join(folder, 'cdk.out'), ...stacks, ...settings.flatMap((each) => ['-c', each])],
    {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, AWS_REGION: 'us-east-1', AWS_EC2_METADATA_DISABLED: 'true' },
    },
  );
  return { status, stderr };
}

/** Runs the application as the CDK command line does, without credentials. */
function runApp(context: Record<string, unknown>, environment: Record<string, string> = {}, project = ROOT) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', CDK_JSON.app], {
    cwd: project,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CDK_OUTDIR: join(folder, 'cdk.out'),
      CDK_DEFAULT_REGION: 'us-east-1',
      CDK_CONTEXT_JSON: JSON.stringify({ ...CDK_JSON.context, ...context }),
      ...environment,
    },
  });
  const template = (stack: string) => join(folder, 'cdk.out', `${stack}.template.json`);
  return { status, stdout, stderr, template };
}

test('writes the results and every benchmark without credentials, and watches no file system', () => {
  const { status, stdout, stderr, template } = runApp({});
  expect([status, stdout, stderr]).toEqual([0, '', '']);
  expect(existsSync(template('BenchResults'))).toBe(true);
  expect(existsSync(template('CompressionBench'))).toBe(true);
  expect(existsSync(template('MetadataBench'))).toBe(true);
  expect(existsSync(template('LustreDashboard'))).toBe(false);
  // Another user's update is refused by this.
  const { Parameters } = JSON.parse(readFileSync(template('CompressionBench'), 'utf8'));
  expect(Parameters.Owner.Default).toBe(userInfo().username);
});

test('watches a file system that is named', () => {
  const { status, stderr, template } = runApp({ fileSystemId: 'fs-0a1b2c3d4e5f60718', metadataIops: '24000' });
  expect([status, stderr]).toEqual([0, '']);
  const { Resources } = JSON.parse(readFileSync(template('LustreDashboard'), 'utf8'));
  expect(JSON.stringify(Resources)).toContain('--iops 36000');
});

test.each([
  [
    { fileSystemId: 'fs-1' },
    `'fileSystemId' must be the id of a file system such as fs-0a1b2c3d4e5f60718, got "fs-1".`,
  ],
  [
    { fileSystemId: 'fs-0a1b2c3d4e5f60718,fs-0a1b2c3d4e5f60719' },
    'LustreDashboard shows it, and others can be selected on the dashboard',
  ],
  [
    { fileSystemId: 'fs-0a1b2c3d4e5f60718', alarmEmail: 'ops' },
    `'alarmEmail' must be an e-mail address or the ARN of an SNS topic such as`,
  ],
  [
    { fileSystemId: 'fs-0a1b2c3d4e5f60718', metadataIops: '5000' },
    "'metadataIops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 5000.",
  ],
])('watches no file system with %j, and says why', (context, message) => {
  expect(refusal(context) || refusals(context).LustreDashboard?.join('\n')).toContain(message);
});

test.each([
  [
    'CompressionBench',
    { fleet: 'parallelcluster' },
    {
      StorageBench: /^'fleet' must be ec2 with EBS/,
      OffloadBench: /^'fleet' must be .* with arm off, .* Set it to ec2/,
    },
  ],
  [
    'CompressionBench',
    { maxCostUsd: '300' },
    { StorageBench: /^'maxCostUsd' requires known prices, but one is missing for StorageBench/ },
  ],
  [
    'StorageBench',
    { inputs: 's3://my-data/reads/' },
    { ClusterBench: /^'inputs' cannot be combined with fleet parallelcluster/ },
  ],
  [
    'CompressionBench',
    { permissionsBoundary: 'arn:aws:iam::123456789012:policy/Boundary' },
    { ClusterBench: /^'permissionsBoundary' \(.*\) cannot be combined with fleet parallelcluster/ },
  ],
])('makes %s with %j, which other benchmarks refuse', (name, context, others) => {
  const { app, benchmarks, refused } = stacksOf(context);
  expect(benchmarks.map(({ stackName }) => stackName)).toContain(name);
  expect(Object.fromEntries(refused.map(({ name: other, problems }) => [other, problems]))).toMatchObject(
    Object.fromEntries(Object.entries(others).map(([other, problem]) => [other, [expect.stringMatching(problem)]])),
  );
  // Added benchmarks may also refuse the setting, and nothing else.
  const [setting] = Object.keys(context);
  const unasked = refused.filter(({ problems }) => !problems.every((one) => one.startsWith(`'${setting}' `)));
  expect(unasked).toEqual([]);
  const errors = app
    .synth()
    .stacks.flatMap(({ stackName, messages }) =>
      messages.filter(({ level }) => level === 'error').map(({ entry }) => [stackName, entry.data]),
    );
  expect(Object.fromEntries(errors)).toEqual(
    Object.fromEntries(refused.map(({ name: other, problems }) => [other, problems[0]])),
  );
});

test.each([
  [
    { kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d' },
    /^'kmsKeyArn' must be of the Region of the deployment, us-east-1, got "arn:aws:kms:eu-west-1:.*"\. Name one there/,
  ],
  [
    { kmsKeyArn: 'arn:aws-cn:kms:us-east-1:123456789012:key/0a1b2c3d' },
    /^'kmsKeyArn' must be of the partition of the deployment, aws, got/,
  ],
  [
    { alarmEmail: 'arn:aws:sns:eu-west-1:123456789012:ops' },
    /^'alarmEmail' must be of the Region of the deployment, us-east-1, got/,
  ],
  [
    { permissionsBoundary: 'arn:aws:iam::999999999999:policy/Boundary' },
    /^'permissionsBoundary' must be of the account of the deployment, 123456789012, got/,
  ],
])('refuses %j, which AWS would not find where it deploys', (context, problem) => {
  const env = { account: '123456789012', region: 'us-east-1' };
  const all = refusals({ fileSystemId: 'fs-0a1b2c3d4e5f60718', ...context }, env);
  expect(all.CompressionBench).toEqual([expect.stringMatching(problem)]);
  // The stack of a watched file system has a topic, and no role of ours.
  const watched = !('permissionsBoundary' in context) ? [expect.stringMatching(problem)] : undefined;
  expect(all.LustreDashboard).toEqual(watched);
});

test('takes a boundary and a key where nobody says which account and Region it deploys to, and a boundary of AWS', () => {
  const context = {
    kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d',
    permissionsBoundary: 'arn:aws:iam::999999999999:policy/Boundary',
  };
  expect(refusals(context, {})).not.toHaveProperty('CompressionBench');
  const own = { permissionsBoundary: 'arn:aws:iam::aws:policy/PowerUserAccess' };
  expect(refusals(own, { account: '123456789012', region: 'us-east-1' })).not.toHaveProperty('CompressionBench');
});

test('no template of a refused stack could be deployed, or delete the stack that is there, with --ignore-errors', () => {
  const { app } = stacksOf({ fleet: 'parallelcluster' });
  expect(Object.values(app.synth().getStackByName('OffloadBench').template.Resources)).toEqual([
    { Type: 'Fsxbench::Settings::Refused' },
  ]);
});

test('the CDK CLI fails where a refused stack is selected, with its problems first and those of no other', () => {
  const { status, stderr } = synthesise(['MetadataBench'], ['metadataIops=13000']);
  expect(stderr).toMatch(/^ERROR 'metadataIops' must be one of .* got 13000\. Take 24000\. [^\n]*\n\s+MetadataBench\n/);
  expect(stderr).not.toMatch(/CompressionBench|PERSISTENT_1|\n +at |\.ts:/);
  expect(status).not.toBe(0);
});

test('the CDK CLI selects other stacks with the same settings, and all of them without a name', () => {
  expect(synthesise(['OffloadBench'], ['recordSizesKiB=128,256'])).toMatchObject({ status: 0 });
  const { status, stderr } = synthesise([], ['recordSizesKiB=128,256']);
  expect(stderr).toMatch(/'recordSizesKiB' \(.*\) cannot be combined with CompressionBench/);
  expect(status).not.toBe(0);
});

test('a benchmark whose clients the Region does not offer says what it offers', () => {
  expect(refusals({}, { region: 'eu-central-2' })).toMatchObject({
    CompressionBench: [
      expect.stringMatching(
        /^'instanceType' must be a type that eu-central-2 offers, got "c5n\.9xlarge", which it did not on 2026-\d\d-\d\d\. Use c6in\.\w+, which is at least as large in every respect, or a Region such as /,
      ),
    ],
  });
});

describe('a benchmark of file systems that are there already', () => {
  const localBench = {
    ...compressionBench,
    name: 'LocalBench',
    arms: () => ['a', 'b'].map((name) => ({ name, storage: { kind: 'directory' } })),
  };
  const resolved = (definitions: readonly Benchmark[], context = {}) =>
    resolveAll(definitions, { ...CDK_JSON.context, ...context }, DEPLOYABLE_KINDS, 'us-east-1');
  const problem =
    `'arms' of LocalBench must be of storages that stacks deploy (${DEPLOYABLE_KINDS.join(', ')}), got a (directory), b (directory). ` +
    'Measure them where they are mounted: npx fsxbench run LocalBench --local a=DIR b=DIR';

  test.each([{}, { LocalBench: { ranksPerClient: 2 } }])(
    'stops no other one, also with settings of its own: %j',
    (context) => {
      const { benchmarks, refused, leftOut } = resolved([...BENCHMARKS, localBench], context);
      expect(benchmarks.map(({ definition }) => definition)).toEqual(BENCHMARKS);
      expect(refused).toEqual([]);
      expect(leftOut).toEqual([{ name: 'LocalBench', problems: [problem] }]);
    },
  );

  test('is refused in clear words where there is no other', () => {
    expect(() => resolved([localBench])).toThrow(new ConfigurationError([problem]));
  });
});

test('refuses what is wrong in a section of a benchmark, for that benchmark alone', () => {
  expect(refusals({ MetadataBench: { arms: ['p250-13000'] } })).toEqual({
    MetadataBench: [expect.stringContaining('got "p250-13000". Did you mean \'p250-12000\'?')],
  });
});

const TIERING = {
  deploymentType: 'PERSISTENT_2',
  storageType: 'INTELLIGENT_TIERING',
  throughputCapacity: '4000',
  dataReadCache: 'none',
};
test.each([
  [{ metadataIops: '5000' }, 'one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 5000. Take 6000'],
  [{ metadataIops: '13000' }, 'one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 13000. Take 24000'],
  [{ metadataIops: '204000' }, 'one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 204000. Take 192000'],
  [{ metadataIopsSweep: '1500,5000' }, 'each one of 1500, 3000, 6000, or a multiple of 12000 up to 192000'],
  [{ ...TIERING, metadataIops: '5000' }, 'one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 5000'],
  [
    { deploymentType: 'PERSISTENT_1', perUnitStorageThroughput: '200', metadataIops: '12000' },
    'cannot be combined with PERSISTENT_1',
  ],
])('refuses metadata IOPS that AWS refuses, with what it takes: %j', (context, message) => {
  expect(refusal(context) || Object.values(refusals(context)).flat().join('\n')).toContain(message);
});

test('lets the CDK command line say on stderr what a deployment costs', () => {
  const { status, stderr } = synthesise([], ['scale=smoke']);
  expect(stderr).toMatch(
    /Deploying CompressionBench at scale smoke costs 0\.75 USD\/h \(list prices of us-east-1, .* to \d{4}-\d\d-\d\d; of \d+ prices \d+ third-party/,
  );
  expect(status).toBe(0);
});

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
    { clients: '0', scael: 'smoke' },
    "  'scael' is not a setting. Did you mean 'scale'?\n" +
      '  \'clients\' must be a whole number from 1 to 1000, got "0". If all arms are driven at the same time it must be a multiple of their number.\n',
  ],
  [
    { metadataIopsSweep: '13000' },
    "  'metadataIopsSweep' must be a list of metadata IOPS, each one of 1500, 3000, 6000, or a multiple of 12000 up to 192000 ('none' and 'automatic' are also allowed), got \"13000\". Such as metadataIopsSweep=12000,24000,192000.\n",
  ],
  [
    { availabilityZone: 'eu-west-1a' },
    '  \'availabilityZone\' must be in the Region of the deployment, us-east-1, got "eu-west-1a". Choose a zone there, or set AWS_REGION.\n',
  ],
])('refuses %j in clear words', (context, problems) => {
  expect(refusal(context)).toBe(problems);
});

test.each([
  [
    { vpcId: 'vpc-0a1b2c3d4e5f60718' },
    '\'vpcId\' must be looked up in an account, got "vpc-0a1b2c3d4e5f60718" without credentials. Configure them (aws configure), or leave it out for a new VPC.',
  ],
])('every benchmark refuses %j in clear words', (context, problem) => {
  expect(refusals(context)).toEqual(Object.fromEntries(BENCHMARKS.map(({ name }) => [name, [problem]])));
});

test('each benchmark that a setting of a storage does not fit says what it takes', () => {
  const owners = STORAGES.filter(({ configuration: { settings } }) => 'storageCapacityGiB' in settings);
  expect(refusals({ storageCapacityGiB: '1300' })).toEqual(
    Object.fromEntries(
      BENCHMARKS.map(({ name, arms }) => [
        name,
        expect.arrayContaining([
          arms('published').some(({ storage }) => owners.includes(storageOf(storage)))
            ? expect.stringMatching(
                /^'storageCapacityGiB' must be 1200 or a multiple of 2400 with .*, got 1300. Take 1200 or 2400/,
              )
            : `'storageCapacityGiB' (1300) cannot be combined with ${name}: it is a setting of ${owners.map(({ label }) => label).join(' and ')}. Put it into the section of a benchmark that has it.`,
        ]),
      ]),
    ),
  );
});

test('says what cannot be used without a stack trace, and writes nothing', () => {
  const context = { scael: 'smoke', clients: '0' };
  const { status, stdout, stderr, template } = runApp(context);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(`\nThe configuration cannot be used:\n${refusal(context)}\n`);
  expect(existsSync(template('CompressionBench'))).toBe(false);
});

test('what is synthesised is what the sources say, however old a file says it is; a stack trace names their lines', () => {
  const project = join(folder, 'project');
  for (const name of ['bin', 'lib', 'scripts', 'assets', 'package.json'])
    cpSync(join(ROOT, name), join(project, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  expect(runApp({}, {}, project).status).toBe(0);
  const source = join(project, 'lib/deploy/application.ts');
  const { mtime } = statSync(source);
  writeFileSync(source, readFileSync(source, 'utf8').replace('Results of fsxbench', 'Results of a change'));
  utimesSync(source, mtime, mtime);
  const { status, template } = runApp({}, {}, project);
  expect(status).toBe(0);
  expect(JSON.parse(readFileSync(template('BenchResults'), 'utf8')).Description).toContain('Results of a change');

  const settings = join(project, 'lib/config/app.ts');
  const odd = readFileSync(settings, 'utf8').replace(
    /export function readSettings[^{]*\{/,
    '$&throw new Error("odd");',
  );
  writeFileSync(settings, odd);
  expect(runApp({}, {}, project).stderr).toMatch(/Error: odd\n +at readSettings \(.*\/lib\/config\/app\.ts:\d+:\d+\)/);
});
