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
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Environment } from 'aws-cdk-lib';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { compressionBench } from '../../lib/benchmark/compression';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { resolveAll } from '../../lib/config/app';
import { ConfigurationError } from '../../lib/config/problem';
import { makeStacks } from '../../lib/deploy/application';
import { DEPLOYABLE_KINDS } from '../../lib/storage/constructs';
import { storageOf } from '../../lib/storage/lookup';
import { STORAGES } from '../../lib/storage/registry';

const ROOT = join(__dirname, '../..');
const CDK_JSON = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')) as { app: string; context: object };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-app-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Why the application makes nothing of a context, without a process of its own; '' when it makes something. */
function refusal(context: Record<string, unknown>, env: Environment = { region: 'us-east-1' }): string {
  try {
    makeStacks(new App({ context: { ...CDK_JSON.context, ...context }, outdir: folder, autoSynth: false }), env);
    return '';
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map((problem) => `  ${problem}\n`).join('');
    throw error;
  }
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
});

test('watches a file system that is named, and says nothing of benchmarks that its settings do not fit', () => {
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
  [{ fileSystemId: 'fs-0a1b2c3d4e5f60718', alarmEmail: 'ops' }, `'alarmEmail' must be an e-mail address, got "ops".`],
  [
    { fileSystemId: 'fs-0a1b2c3d4e5f60718', metadataIops: '5000' },
    "'metadataIops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 5000.",
  ],
])('watches no file system with %j, and says why', (context, message) => {
  expect(refusal(context)).toContain(message);
});

test('leaves out a benchmark that settings for another do not fit, and says so', () => {
  const { status, stderr, template } = runApp({ metadataIopsSweep: '1500,192000' });
  expect(status).toBe(0);
  const others = BENCHMARKS.map(({ name }) => name).filter((name) => name !== 'MetadataBench');
  expect(others).toContain('CompressionBench');
  expect(stderr).toBe(
    others
      .map(
        (name) =>
          `\n${name} cannot be made with these settings and is left out:\n` +
          `  'metadataIopsSweep' must be absent with ${name}, got [1500,192000]. It is a setting of MetadataBench; put it into the section of a benchmark that has it.\n\n`,
      )
      .join(''),
  );
  expect(existsSync(template('MetadataBench'))).toBe(true);
  expect(existsSync(template('CompressionBench'))).toBe(false);
});

test('leaves out a benchmark whose clients the Region does not offer, and says what it offers', () => {
  const { status, stderr, template } = runApp({}, { CDK_DEFAULT_REGION: 'eu-central-2' });
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^\nCompressionBench cannot be made[^\n]*\n {2}'instanceType' must be a type that eu-central-2 offers, got "c5n\.9xlarge", which it did not on 2026-\d\d-\d\d\. Use c6in\.\w+, which is at least as large in every respect, or a Region such as /,
  );
  expect(existsSync(template('MetadataBench'))).toBe(true);
  expect(existsSync(template('CompressionBench'))).toBe(false);
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
      const { benchmarks, refused } = resolved([...BENCHMARKS, localBench], context);
      expect(benchmarks.map(({ definition }) => definition)).toEqual(BENCHMARKS);
      expect(refused).toEqual([{ name: 'LocalBench', problems: [problem] }]);
    },
  );

  test('is refused in clear words where there is no other', () => {
    expect(() => resolved([localBench])).toThrow(new ConfigurationError([problem]));
  });
});

test('takes a section of a benchmark as meant: what is wrong in it is refused, whatever the others are', () => {
  expect(refusal({ MetadataBench: { arms: ['p250-13000'] } })).toContain(
    'got "p250-13000". Did you mean \'p250-12000\'?',
  );
});

/** What the issue of MetadataBench names as refused by AWS. */
const TIERING = {
  deploymentType: 'PERSISTENT_2',
  storageType: 'INTELLIGENT_TIERING',
  throughputCapacity: '4000',
  dataReadCache: 'none',
};
test.each([
  [{ metadataIops: '5000' }, 'one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 5000: take 6000'],
  [{ metadataIops: '13000' }, 'one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 13000: take 24000'],
  [{ metadataIops: '204000' }, 'one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 204000: take 192000'],
  [{ metadataIopsSweep: '1500,5000' }, 'each one of 1500, 3000, 6000, or a multiple of 12000 up to 192000'],
  [{ ...TIERING, metadataIops: '1500' }, '6000 or 12000 with INTELLIGENT_TIERING, got 1500'],
  [{ ...TIERING, metadataIops: '24000' }, '6000 or 12000 with INTELLIGENT_TIERING, got 24000'],
  [
    { deploymentType: 'PERSISTENT_1', perUnitStorageThroughput: '200', metadataIops: '12000' },
    'absent with PERSISTENT_1',
  ],
])('refuses metadata IOPS that AWS refuses, with what it takes: %j', (context, message) => {
  expect(refusal(context)).toContain(message);
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
      },
    },
  );
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
    "  'metadataIopsSweep' must be a list of metadata IOPS, each one of 1500, 3000, 6000, or a multiple of 12000 up to 192000 ('none' and 'automatic' are allowed, too), got \"13000\". Such as metadataIopsSweep=1500,12000,192000.\n",
  ],
  [
    { MetadataBench: { deploymentType: 'PERSISTENT_1', perUnitStorageThroughput: 200, metadataIops: 12_000 } },
    "  'metadataIops' must be absent with PERSISTENT_1, got 12000: a metadata configuration needs PERSISTENT_2 [fsxbench:lustre-metadata-type]\n",
  ],
  [
    { availabilityZone: 'eu-west-1a' },
    '  \'availabilityZone\' must be in the Region of the deployment, us-east-1, got "eu-west-1a". Choose a zone there, or set AWS_REGION.\n',
  ],
  [
    { vpcId: 'vpc-0a1b2c3d4e5f60718' },
    '  \'vpcId\' must be looked up in an account, got "vpc-0a1b2c3d4e5f60718" without credentials. Configure them (aws configure), or leave it out for a VPC of its own.\n',
  ],
])('refuses %j in clear words', (context, problems) => {
  expect(refusal(context)).toBe(problems);
});

test('names each benchmark that a setting of a storage does not fit, with what it takes', () => {
  const owners = STORAGES.filter(({ settings }) => 'storageCapacityGiB' in settings);
  const lines = refusal({ storageCapacityGiB: '1300' }).split('\n').filter(Boolean);
  expect(lines).toEqual(
    BENCHMARKS.map(({ name, arms }) =>
      arms('published').some(({ storage }) => owners.includes(storageOf(storage)))
        ? expect.stringMatching(
            `^  ${name}: 'storageCapacityGiB' must be 1200 or a multiple of 2400 with .*, got 1300: take 1200 or 2400`,
          )
        : `  ${name}: 'storageCapacityGiB' must be absent with ${name}, got 1300. It is a setting of ${owners.map(({ label }) => label).join(' and ')}; put it into the section of a benchmark that has it.`,
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
  for (const name of ['bin', 'lib', 'scripts', 'assets'])
    cpSync(join(ROOT, name), join(project, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  expect(runApp({}, {}, project).status).toBe(0);
  const source = join(project, 'lib/deploy/benchResults.ts');
  const { mtime } = statSync(source);
  writeFileSync(source, readFileSync(source, 'utf8').replace('Results of fsxbench', 'Results of a change'));
  utimesSync(source, mtime, mtime);
  const { status, template } = runApp({}, {}, project);
  expect(status).toBe(0);
  expect(JSON.parse(readFileSync(template('BenchResults'), 'utf8')).Description).toContain('Results of a change');

  writeFileSync(
    join(project, 'lib/config/read.ts'),
    'export const readSettings = () => {\n  throw new Error("odd");\n};\n',
  );
  expect(runApp({}, {}, project).stderr).toMatch(/Error: odd\n +at readSettings \(.*\/lib\/config\/read\.ts:2:9\)/);
});
