import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnResource } from 'aws-cdk-lib';
import { stacksWith } from '../support/cdk';
import { EVERY_OPTION } from '../support/options';
import type { Statement } from '../support/policies';

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');

/** Services as IAM names them, where the package of the SDK has another name. */
const SERVICES: Readonly<Record<string, string>> = { 'auto-scaling': 'autoscaling', efs: 'elasticfilesystem' };
/** Actions of operations that IAM names otherwise. */
const ACTIONS: Readonly<Record<string, string>> = { 's3:ListObjectsV2': 's3:ListBucket' };

/** Calls in a source, as IAM names them. @throws if no package of the source has an operation that it names */
function callsOf(path: string, text: string): string[] {
  const packages = [...new Set([...text.matchAll(/@aws-sdk\/client-([\w-]+)/g)].map(([, name = '']) => name))];
  const operations = [...text.matchAll(/\b(?:paginate([A-Z]\w+)\(|new (?:\w+\.)?([A-Z]\w+)Command\()/g)].map(
    ([, paged, sent]) => paged ?? (sent as string),
  );
  const calls = operations.map((operation) => {
    const name = packages.find((one) => `${operation}Command` in require(`@aws-sdk/client-${one}`));
    if (name === undefined) throw new Error(`${path}: no package has ${operation}`);
    const call = `${SERVICES[name] ?? name}:${operation}`;
    return ACTIONS[call] ?? call;
  });
  // What an upload in parts needs.
  return text.includes('@aws-sdk/lib-storage') ? [...calls, 's3:AbortMultipartUpload', 's3:PutObject'] : calls;
}

/** Sources that call AWS with the user's credentials: the lab has an emulator, and the driver has the role of its client. */
const isUsers = (path: string): boolean => !/^(?:lab|run\/driver)\//.test(path);
const calls = (readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' }) as string[])
  .filter((path) => path.endsWith('.ts') && isUsers(path))
  .flatMap((path) => {
    const text = readFileSync(join(ROOT, 'lib', path), 'utf8');
    return text.includes('@aws-sdk/') ? callsOf(path, text) : [];
  });

/** The policy that a section of the page prints. */
function printed(section: string): readonly Statement[] {
  const [, policy = '{}'] = /^[\s\S]*?```json\n([\s\S]*?)```/.exec(page.split(`### ${section}\n`)[1] ?? '') ?? [];
  return (JSON.parse(policy) as { Statement: readonly Statement[] }).Statement;
}
const statements = printed('A policy for the person who runs');
const allowed = statements.flatMap(({ Action }) => Action);

test('the policy of docs/security.md allows every call of lib/ that the user’s credentials make, and no other', () => {
  expect(new Set(calls).size).toBeGreaterThan(15);
  const wanted = new Set([...calls, 'sts:AssumeRole']);
  expect(allowed.toSorted()).toEqual([...wanted].sort());
});

test('what changes something is allowed on named resources alone', () => {
  const open = statements.filter(({ Resource }) => Resource === '*').flatMap(({ Action }) => Action);
  expect(open.filter((action) => !/:(?:Describe|Get|List)/.test(action))).toEqual([]);
});

test('a call that the policy lacks is noticed by its name', () => {
  const source =
    "const { FSxClient, CreateBackupCommand } = await import('@aws-sdk/client-fsx'); new CreateBackupCommand({})";
  expect(callsOf('x.ts', source)).toEqual(['fsx:CreateBackup']);
  expect(allowed).not.toContain('fsx:CreateBackup');
});

/** Services of resource types as IAM names them. */
const OF_TYPES: Readonly<Record<string, string>> = {
  EFS: 'elasticfilesystem',
  StepFunctions: 'states',
};

test('the policy for CloudFormation allows every service whose resources a stack has, and no other', () => {
  // The nested stack of ParallelCluster has policies of AWS, which the page names.
  const stacks = [
    ...EVERY_OPTION.map(([, settings, definition]) => stacksWith(settings, undefined, undefined, definition).bench),
    stacksWith().results,
  ];
  const types = new Set(
    stacks.flatMap(({ node }) =>
      node.findAll().flatMap((one) => (one instanceof CfnResource ? [one.cfnResourceType] : [])),
    ),
  );
  const services = [...types].flatMap((type) => {
    // A custom resource is a function that is called.
    const [vendor, service = ''] = type.split('::');
    return [vendor === 'AWS' ? (OF_TYPES[service] ?? service.toLowerCase()) : 'lambda'];
  });
  const execution = printed('A policy for CloudFormation').flatMap(({ Action }) => Action);
  const granted = execution.filter((action) => !action.startsWith('iam:')).map((action) => action.replace(/:\*$/, ''));
  expect(granted.toSorted()).toEqual([...new Set(services)].filter((service) => service !== 'iam').sort());
  const passed = printed('A policy for CloudFormation').filter(({ Action }) =>
    [Action].flat().includes('iam:PassRole'),
  );
  expect(passed.flatMap(({ Resource }) => Resource)).not.toContain('*');
});
