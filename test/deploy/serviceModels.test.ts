import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { templatesOf } from '../docs/cdkCommand';
import { PRINTED } from '../docs/commands';
import { templateOf } from '../support/cdk';
import { lustreDashboard } from '../support/lustreDashboard';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-models-'));
});

const PYTHON = join(__dirname, '../../.lab/venv/bin/python');
const written = new Map<string, string>();

function fileOf(template: unknown): string {
  const text = JSON.stringify(template);
  const file = written.get(text) ?? join(folder, `${written.size}.json`);
  written.set(text, file);
  writeFileSync(file, text);
  return file;
}

/** What AWS's API models refuse in templates, without the folder's name. */
function refusals(files: readonly string[]): string[] {
  const said = execFileSync(PYTHON, [join(__dirname, 'service_models.py'), ...new Set(files)], { encoding: 'utf8' });
  return said.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^\S+\//, '')]));
}

/** `npx cdk deploy NAME -c KEY=VALUE …` in a page, with the Region in front of it. */
const CDK = /^(?:AWS_REGION=(\S+) )?npx cdk (?:deploy|synth|diff) (?!--app)(.*)$/;

test('every documented `cdk` line deploys what the services accept', () => {
  const files = PRINTED.flatMap(({ command }) => {
    const [, region, words] = CDK.exec(command) ?? [];
    // Words such as BENCHMARK or fs-… stand for others.
    if (words === undefined || /BENCHMARK|BUCKET|…/.test(words)) return [];
    return templatesOf(words.split(/\s+/), region).map(fileOf);
  });
  files.push(fileOf(templateOf(lustreDashboard({ metadataIops: 192_000, alarmEmail: 'ops@example.com' }))));
  expect(files.length).toBeGreaterThan(15);
  expect(refusals(files)).toEqual([]);
});

type Planted = readonly [kind: string, type: string, properties: object, says: string];

test.each<Planted>([
  [
    'an enumeration',
    'AWS::FSx::FileSystem',
    { FileSystemType: 'LUSTRE', SubnetIds: ['subnet-0a1b2c3d'], StorageType: 'SDD' },
    "A.StorageType: must be one of SSD, HDD, INTELLIGENT_TIERING, got 'SDD'",
  ],
  [
    'a range',
    'AWS::FSx::FileSystem',
    {
      FileSystemType: 'LUSTRE',
      SubnetIds: ['subnet-0a1b2c3d'],
      LustreConfiguration: { MetadataConfiguration: { Mode: 'USER_PROVISIONED', Iops: 1000 } },
    },
    'Iops: must be from 1500 to 192000, got 1000',
  ],
  [
    'a pattern',
    'AWS::FSx::FileSystem',
    { FileSystemType: 'LUSTRE', SubnetIds: ['net-1'] },
    'A.SubnetIds[0]: must match ',
  ],
  ['a member that is required', 'AWS::FSx::FileSystem', { FileSystemType: 'LUSTRE' }, 'A.SubnetIds: must be given'],
  [
    'a member inside',
    'AWS::FSx::FileSystem',
    { FileSystemType: 'LUSTRE', SubnetIds: [], LustreConfiguration: { MetadataConfiguration: {} } },
    'MetadataConfiguration.Mode: must be given',
  ],
  [
    'a type',
    'AWS::Scheduler::Schedule',
    {
      ScheduleExpression: 'at(x)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn: 'a', RoleArn: { Ref: 'R' }, RetryPolicy: { MaximumRetryAttempts: 'many' } },
    },
    "MaximumRetryAttempts: must be a number, got 'many'",
  ],
  [
    'a name',
    'AWS::AutoScaling::AutoScalingGroup',
    { MinSize: '1', MaxSize: '2', Nonsense: 1 },
    'A.Nonsense: must be one of ',
  ],
  [
    'an enumeration of EC2',
    'AWS::EC2::VPCEndpoint',
    { VpcId: { Ref: 'V' }, VpcEndpointType: 'Bridge' },
    'A.VpcEndpointType: must be one of ',
  ],
  [
    'a Step Functions name',
    'AWS::StepFunctions::StateMachine',
    { RoleArn: '', DefinitionString: '{}' },
    'A.RoleArn: must have a length from 1 to 256',
  ],
  ['an SSM type', 'AWS::SSM::Document', { Content: {}, DocumentType: 'Shell' }, 'A.DocumentType: must be one of '],
  ['a resource of these services that has no call', 'AWS::EC2::CustomerGateway', {}, 'add it to service_models.py'],
])('finds %s', (_, Type, Properties, says) => {
  const file = fileOf({ Resources: { A: { Type, Properties } } });
  expect(refusals([file]).join('\n')).toContain(says.startsWith('A') ? `${basename(file)} ${says}` : says);
});
