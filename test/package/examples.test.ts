import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { contextWithVpc, ENV, subnets, VPC_ID } from '../support/existingVpc';
import { CONSTRUCTS, FILES, LIBRARY, newFolder, outcome, ran, writeProject } from './project';
import { install, PEERS, pack, ROOT } from './tarball';

const folder = newFolder();
const project = join(folder, 'project');
const EXAMPLES = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.ts'));
let tarball: string;
let compiled: ReturnType<typeof ran>;
let made: ReturnType<typeof ran>;

/** Contexts of the applications, by their names. */
const contexts = () => ({
  // That of docs/package.md.
  files: {},
  'monitored-file-system': { vpcId: VPC_ID, ...contextWithVpc(subnets('Private', ['us-east-1a'])) },
  'two-arms': { tarball },
  pipeline: {
    repository: 'owner/name',
    connection: 'arn:aws:codestar-connections:us-east-1:111111111111:connection/c',
  },
  'service-catalog': { role: 'Researchers' },
  organization: { unit: 'ou-a1b2-c3d4e5f6' },
});

/** Makes all of them in one process, without an account: CDK's own check of templates takes seconds to start. */
const SYNTHESISE = `for (const [name, context] of Object.entries(JSON.parse(process.argv[1]))) {
  Object.assign(process.env, { CDK_OUTDIR: process.argv[2] + '/' + name, CDK_CONTEXT_JSON: JSON.stringify(context) });
  require('./' + name + '.js');
}`;

// Compiled once, as an importer's own project is, with the packed declarations: most of the time goes to CDK's.
beforeAll(() => {
  mkdirSync(project);
  tarball = pack();
  install(tarball, project, [...PEERS, '@types/node']);
  for (const name of EXAMPLES) copyFileSync(join(ROOT, 'examples', name), join(project, name));
  writeProject(project, { ...LIBRARY, ...CONSTRUCTS }, {}, EXAMPLES);
  compiled = ran(process.execPath, [join(ROOT, 'test/package/compile.mjs')], project);
  const region = { CDK_DEFAULT_ACCOUNT: ENV.account, CDK_DEFAULT_REGION: ENV.region };
  made = ran(process.execPath, ['-e', SYNTHESISE, JSON.stringify(contexts()), folder], project, region);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  // biome-ignore lint/suspicious/noExplicitAny: templates are JSON of any shape
  readonly Properties?: any;
}

/** Resources of an example's stack. */
function resourcesOf(name: string, stack: string): Resource[] {
  const { Resources } = JSON.parse(readFileSync(join(folder, name, `${stack}.template.json`), 'utf8')) as {
    Resources: Readonly<Record<string, Resource>>;
  };
  return Object.values(Resources);
}

/** Types of these resources; of a file system also what happens to it when its stack goes. */
const typesOf = (resources: readonly Resource[]): string[] =>
  resources.map(({ Type, DeletionPolicy }) => (Type === 'AWS::FSx::FileSystem' ? `${Type} ${DeletionPolicy}` : Type));

const synthesised = (name: string, stack: string): string[] => typesOf(resourcesOf(name, stack));

const count = (types: readonly string[], type: string): number => types.filter((each) => each === type).length;

test('the examples, those of the pages, and programs that use the library compile, as ESM and as CommonJS', () => {
  expect(outcome(compiled)).toEqual({ status: 0, text: '' });
});

test("the applications are synthesised, and CDK's own check of templates has nothing against them", () => {
  expect([made.status, made.text]).toEqual([0, expect.not.stringContaining('rror')]);
});

test('the twenty lines in docs/package.md make a file system, its dashboard and alarms', () => {
  expect(FILES.trim().split('\n').length).toBeLessThanOrEqual(20);
  const types = synthesised('files', 'Files');
  expect(count(types, 'AWS::CloudWatch::Dashboard')).toBe(1);
  expect(count(types, 'AWS::CloudWatch::Alarm')).toBe(4);
  expect(types.filter((type) => type.startsWith('AWS::FSx::FileSystem'))).toHaveLength(1);
});

test('monitored-file-system: a file system that stays, its dashboard and alarms, and no network of its own', () => {
  const types = synthesised('monitored-file-system', 'MonitoredFileSystem');
  expect(count(types, 'AWS::FSx::FileSystem RetainExceptOnCreate')).toBe(1);
  expect(count(types, 'AWS::CloudWatch::Dashboard')).toBe(1);
  expect(count(types, 'AWS::CloudWatch::Alarm')).toBe(5);
  expect(count(types, 'AWS::EC2::VPC')).toBe(0);
});

test('two-arms: two file systems that go with their stack, which deletes itself, and a client with the scripts of the package', () => {
  const types = synthesised('two-arms', 'TwoArms');
  expect(count(types, 'AWS::FSx::FileSystem Delete')).toBe(2);
  expect(count(types, 'AWS::AutoScaling::AutoScalingGroup')).toBe(1);
  const staged = readdirSync(join(folder, 'two-arms'), { recursive: true, encoding: 'utf8' });
  expect(staged.filter((path) => /^asset\.[0-9a-f]+\/(?:bin\/boot|storage\/lustre\/mount)$/.test(path))).toHaveLength(
    2,
  );
  expect(count(types, 'AWS::Scheduler::Schedule')).toBe(1);
});

test('pipeline: deploys a trial that deletes itself, and after an approval a file system that stays', () => {
  const pipeline = resourcesOf('pipeline', 'Pipeline').find(({ Type }) => Type === 'AWS::CodePipeline::Pipeline');
  const stages: { Name: string; Actions: { Name: string }[] }[] = pipeline?.Properties.Stages;
  expect(stages.map(({ Name }) => Name)).toEqual(['Source', 'Build', 'UpdatePipeline', 'Trial', 'Production']);
  expect(stages[4]?.Actions[0]?.Name).toBe('Approve');
  const inStage = (stage: string) => {
    const path = join(folder, 'pipeline', `assembly-${stage}`);
    const file = readdirSync(path).find((name) => name.endsWith('.template.json')) as string;
    return typesOf(Object.values(JSON.parse(readFileSync(join(path, file), 'utf8')).Resources));
  };
  expect(inStage('Trial')).toEqual(expect.arrayContaining(['AWS::FSx::FileSystem Delete', 'AWS::Scheduler::Schedule']));
  expect(inStage('Production')).toContain('AWS::FSx::FileSystem RetainExceptOnCreate');
});

test('service-catalog: two sizes of a file system, which a role may launch in a subnet of its own', () => {
  const types = synthesised('service-catalog', 'FileSystems');
  expect(types).toContain('AWS::ServiceCatalog::PortfolioPrincipalAssociation');
  const products = readdirSync(join(folder, 'service-catalog')).filter((name) => /product\.template\.json$/.test(name));
  const sizes = products.map((name) => {
    const { Parameters, Resources } = JSON.parse(readFileSync(join(folder, 'service-catalog', name), 'utf8'));
    expect(Object.keys(Parameters)).toEqual(expect.arrayContaining(['SubnetId', 'SubnetRange', 'VpcId', 'Zone']));
    const all: Resource[] = Object.values(Resources);
    return all.find(({ Type }) => Type === 'AWS::FSx::FileSystem')?.Properties.StorageCapacity;
  });
  expect(sizes.sort()).toEqual([1200, 4800]);
});

test('organization: a policy on tags, metadata service and Regions, and a stack that satisfies it', () => {
  const [policy] = resourcesOf('organization', 'Guardrails');
  const { Type, Content } = (policy as Resource).Properties;
  expect([Type, JSON.stringify(Content).length < 5120]).toEqual(['SERVICE_CONTROL_POLICY', true]);
  const all = resourcesOf('organization', 'Trial');
  const tag = { Key: 'CostCenter', Value: '42' };
  const of = (type: string) => all.filter((resource) => resource.Type === type).map(({ Properties }) => Properties);
  expect(of('AWS::FSx::FileSystem')).toEqual([expect.objectContaining({ Tags: expect.arrayContaining([tag]) })]);
  const templates = of('AWS::EC2::LaunchTemplate').map(({ LaunchTemplateData }) => LaunchTemplateData);
  expect(templates).toHaveLength(1);
  for (const { MetadataOptions, TagSpecifications } of templates) {
    expect(MetadataOptions.HttpTokens).toBe('required');
    for (const { ResourceType, Tags } of TagSpecifications)
      expect([ResourceType, Tags]).toEqual([
        expect.stringMatching(/^(?:instance|volume)$/),
        expect.arrayContaining([tag]),
      ]);
  }
});

/** The script of a step of the nightly check. */
function stepOf(name: string): string {
  const text = readFileSync(join(ROOT, 'examples/github-compare.yml'), 'utf8');
  const [, block = ''] = new RegExp(`- name: ${name}\n +run: \\|\n((?: {10}.*\n)+)`).exec(text) ?? [];
  expect(block).not.toBe('');
  return block.replaceAll(/^ {10}/gm, '');
}

test('github-compare: installs the package, measures with it, makes a baseline, and passes a second night', () => {
  expect(stepOf('Install')).toContain('npm install --no-save --no-audit --no-fund "$PACKAGE"');
  const mounted = join(folder, 'mounted');
  mkdirSync(mounted);
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  symlinkSync('../fsxbench/dist/fsxbench.js', join(project, 'node_modules/.bin/fsxbench'));
  const SETTINGS = '--set repeats=1 --set seconds=1 --set maxMiBPerArm=16 --set filesPerRank=20';
  const env = { DIRECTORY: mounted, SETTINGS, BASELINE: 'baseline.json', TOLERANCE: '90%' };
  const step = (name: string) => ran('bash', ['-eo', 'pipefail', '-c', stepOf(name)], project, env);
  expect(outcome(step('Measure'))).toMatchObject({ status: 0 });
  expect(step('Compare').text).toContain('::notice::there was no baseline.json');
  const again = step('Compare');
  expect([again.status, again.text]).toEqual([0, expect.any(String)]);
});
