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
import { appWithFlags, theOnly } from '../support/cdk';
import { inAll } from '../support/drawn';

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

/** Output of the CDK CLI where these stacks are selected, of settings or of an assembly that is there. */
function synthesise(stacks: readonly string[], options: readonly string[]) {
  const { status, stderr } = spawnSync(
    join(ROOT, 'node_modules/.bin/cdk'),
    ['synth', '--quiet', ...stacks, ...options],
    {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, AWS_REGION: 'us-east-1', AWS_EC2_METADATA_DISABLED: 'true' },
    },
  );
  return { status, stderr };
}

const templateIn = (stack: string): string => join(folder, 'cdk.out', `${stack}.template.json`);

/** Runs the application as the CDK command line does, without credentials. */
function runApp(context: Record<string, unknown>, project = ROOT) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', CDK_JSON.app], {
    cwd: project,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CDK_OUTDIR: join(folder, 'cdk.out'),
      CDK_DEFAULT_REGION: 'us-east-1',
      CDK_CONTEXT_JSON: JSON.stringify({ ...CDK_JSON.context, ...context }),
    },
  });
  return { status, stdout, stderr };
}

test('writes the results and every benchmark without credentials, and watches no file system', () => {
  expect(runApp({})).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(
    ['BenchResults', 'CompressionBench', 'MetadataBench', 'LustreDashboard'].map(templateIn).map(existsSync),
  ).toEqual([true, true, true, false]);
  // Another user's update is refused by this.
  const { Parameters } = JSON.parse(readFileSync(templateIn('CompressionBench'), 'utf8'));
  expect(Parameters.Owner.Default).toBe(userInfo().username);
});

test('watches a file system that is named, and says why not one that cannot be', () => {
  const named = { fileSystemId: 'fs-0a1b2c3d4e5f60718' };
  const { app, refused } = stacksOf({ ...named, metadataIops: '24000' });
  expect(refused.map(({ name }) => name)).not.toContain('LustreDashboard');
  expect(JSON.stringify(app.synth().getStackByName('LustreDashboard').template)).toContain('--iops 36000');
  expect(refusal({ fileSystemId: 'fs-1' })).toContain(`'fileSystemId' must be the id of a file system such as fs-`);
  expect(refusals({ ...named, metadataIops: '5000' }).LustreDashboard).toEqual([
    expect.stringMatching(/^'metadataIops' must be one of 1500, .* got 5000\. It is what the file system fs-\w+ has: /),
  ]);
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

inAll(test)(
  'the CDK CLI fails for the refused stacks that are selected, with their problems alone, and selects others',
  () => {
    expect(runApp({ recordSizesKiB: '128,256' }).status).toBe(0);
    const selected = (...stacks: string[]) => synthesise(stacks, ['--app', join(folder, 'cdk.out')]);
    const { status, stderr } = selected('MetadataBench');
    expect(stderr).toMatch(
      /^ERROR 'recordSizesKiB' \(.*\) cannot be combined with MetadataBench[^\n]*\n\s+MetadataBench\n/,
    );
    expect(stderr).not.toMatch(/CompressionBench|\n +at |\.ts:/);
    expect(status).not.toBe(0);
    expect(selected('OffloadBench')).toMatchObject({ status: 0 });
    const all = selected();
    expect(all.stderr).toMatch(/'recordSizesKiB' \(.*\) cannot be combined with CompressionBench/);
    expect(all.status).not.toBe(0);
  },
);

describe('a benchmark of file systems that are there already', () => {
  const localBench = {
    ...compressionBench,
    name: 'LocalBench',
    arms: () => ['a', 'b'].map((name) => ({ name, storage: { kind: 'directory' } })),
  };
  const resolved = (definitions: readonly Benchmark[], context = {}) =>
    resolveAll(definitions, { ...CDK_JSON.context, ...context }, DEPLOYABLE_KINDS, 'us-east-1');
  const problem =
    '\'arms\' must be of storages that stacks deploy with LocalBench, got "a, b". ' +
    'Leave them out, or measure them where they are mounted: npx fsxbench run --on DIR.';

  test.each([{}, { LocalBench: { ranksPerClient: 2 } }])(
    'stops no other one, also with settings of its own: %j',
    (context) => {
      const { benchmarks, refused } = resolved([...BENCHMARKS, localBench], context);
      expect(benchmarks.map(({ definition }) => definition)).toEqual(BENCHMARKS);
      expect(refused).toEqual([{ name: 'LocalBench', problems: [problem] }]);
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

inAll(test)('lets the CDK command line say on stderr what a deployment costs, with what -c sets', () => {
  const { status, stderr } = synthesise([], ['-c', 'scale=smoke', '--output', join(folder, 'cdk.out')]);
  expect(stderr).toMatch(
    /Deploying CompressionBench at scale smoke costs 0\.75 USD\/h \(list prices of us-east-1, .* to \d{4}-\d\d-\d\d; of \d+ prices \d+ third-party/,
  );
  expect(status).toBe(0);
  const { Resources } = JSON.parse(readFileSync(templateIn('CompressionBench'), 'utf8'));
  expect(theOnly(Resources, 'AWS::AutoScaling::AutoScalingGroup').Properties.MinSize).toBe('2');
});

test('every benchmark refuses a VPC that nobody can look up', () => {
  expect(refusals({ vpcId: 'vpc-0a1b2c3d4e5f60718' })).toEqual(
    Object.fromEntries(
      BENCHMARKS.map(({ name }) => [
        name,
        [
          '\'vpcId\' must be looked up in an account, got "vpc-0a1b2c3d4e5f60718" without credentials. Configure them (aws configure), or leave it out for a new VPC.',
        ],
      ]),
    ),
  );
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
  const { status, stdout, stderr } = runApp({ scael: 'smoke', clients: '0' });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    "\nThe configuration cannot be used:\n  'scael' is not a setting. Did you mean 'scale'?\n" +
      '  \'clients\' must be a whole number from 1 to 1000, got "0". If all arms run at the same time, it must be a multiple of their number.\n\n',
  );
  expect(existsSync(templateIn('CompressionBench'))).toBe(false);
});

inAll(test)(
  'what is synthesised is what the sources say, however old a file says it is; a stack trace names their lines',
  () => {
    const project = join(folder, 'project');
    for (const name of ['bin', 'lib', 'scripts', 'assets', 'package.json'])
      cpSync(join(ROOT, name), join(project, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    /** Replaces text, and keeps the time of the file. */
    const change = (path: string, old: string | RegExp, text: string) => {
      const file = join(project, path);
      const { mtime } = statSync(file);
      writeFileSync(file, readFileSync(file, 'utf8').replace(old, text));
      utimesSync(file, mtime, mtime);
    };
    change('lib/config/app.ts', /export function readSettings[^{]*\{/, '$&throw new Error("odd");');
    expect(runApp({}, project).stderr).toMatch(/Error: odd\n +at readSettings \(.*\/lib\/config\/app\.ts:\d+:\d+\)/);
    change('lib/config/app.ts', 'throw new Error("odd");', '');
    change('lib/deploy/application.ts', 'Results of fsxbench', 'Results of a change');
    expect(runApp({}, project).status).toBe(0);
    expect(JSON.parse(readFileSync(templateIn('BenchResults'), 'utf8')).Description).toContain('Results of a change');
  },
);
