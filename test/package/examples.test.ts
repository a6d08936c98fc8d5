import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contextWithVpc, ENV, subnets, VPC_ID } from '../support/existingVpc';
import { newFolder, outcome, ran, TSC } from './project';
import { install, PEERS, pack, ROOT } from './tarball';

const folder = newFolder();
const project = join(folder, 'project');
const EXAMPLES = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.ts'));
let tarball: string;

// Compiled once, as an importer's own project is: as strictly as TypeScript can, and with the packed declarations.
beforeAll(() => {
  mkdirSync(project);
  tarball = pack();
  install(tarball, project, [...PEERS, '@types/node']);
  for (const name of EXAMPLES) copyFileSync(join(ROOT, 'examples', name), join(project, name));
  const compilerOptions = { strict: true, skipLibCheck: true, module: 'node16', target: 'es2022', types: ['node'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: EXAMPLES }));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Types of the resources of an example's stack, synthesised without an account. */
function synthesised(name: string, stack: string, context: Readonly<Record<string, unknown>>): string[] {
  const output = join(folder, stack);
  const { status, text } = ran(process.execPath, [`${name}.js`], project, {
    CDK_OUTDIR: output,
    CDK_CONTEXT_JSON: JSON.stringify(context),
    CDK_DEFAULT_ACCOUNT: ENV.account,
    CDK_DEFAULT_REGION: ENV.region,
  });
  expect([status, text]).toEqual([0, expect.not.stringContaining('rror')]);
  const { Resources } = JSON.parse(readFileSync(join(output, `${stack}.template.json`), 'utf8')) as {
    Resources: Readonly<Record<string, { readonly Type: string; readonly DeletionPolicy?: string }>>;
  };
  return Object.values(Resources).map(({ Type, DeletionPolicy }) =>
    Type === 'AWS::FSx::FileSystem' ? `${Type} ${DeletionPolicy}` : Type,
  );
}

const count = (types: readonly string[], type: string): number => types.filter((each) => each === type).length;

test('the examples compile in a project that has the package', () => {
  expect(outcome(ran(TSC, ['-p', '.'], project))).toEqual({ status: 0, text: '' });
});

test('monitored-file-system: a file system that stays, its dashboard and alarms, and no network of its own', () => {
  const context = { vpcId: VPC_ID, ...contextWithVpc(subnets('Private', ['us-east-1a'])) };
  const types = synthesised('monitored-file-system', 'MonitoredFileSystem', context);
  expect(count(types, 'AWS::FSx::FileSystem RetainExceptOnCreate')).toBe(1);
  expect(count(types, 'AWS::CloudWatch::Dashboard')).toBe(1);
  expect(count(types, 'AWS::CloudWatch::Alarm')).toBe(5);
  expect(count(types, 'AWS::EC2::VPC')).toBe(0);
});

test('two-arms: two file systems that go with their stack, which deletes itself, and a client with the scripts of the package', () => {
  const types = synthesised('two-arms', 'TwoArms', { tarball });
  expect(count(types, 'AWS::FSx::FileSystem Delete')).toBe(2);
  expect(count(types, 'AWS::AutoScaling::AutoScalingGroup')).toBe(1);
  const staged = readdirSync(join(folder, 'TwoArms'), { recursive: true, encoding: 'utf8' });
  expect(staged.filter((path) => /^asset\.[0-9a-f]+\/(?:bin\/boot|storage\/lustre\/mount)$/.test(path))).toHaveLength(
    2,
  );
  expect(count(types, 'AWS::Scheduler::Schedule')).toBe(1);
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
