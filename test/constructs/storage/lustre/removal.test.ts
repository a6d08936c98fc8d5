import { RemovalPolicy } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { LustreConfiguration } from '../../../../lib/storage/lustre/configuration';
import { MIN } from '../../../storage/lustre/configurations';
import { clientGroup, withFileSystem } from './declared';

const LOGGED: LustreConfiguration = { ...MIN.persistent2, logLevel: 'WARN_ERROR' };
const BESIDE = ['AWS::FSx::FileSystem', 'AWS::EC2::SecurityGroup', 'AWS::Logs::LogGroup'];

// One that CloudFormation has just made, and takes back since a client did not come up, holds nothing yet, and would be billed until somebody finds it.
test.each([
  [undefined, 'RetainExceptOnCreate'],
  [RemovalPolicy.RETAIN, 'Retain'],
])('with the policy %s a file system stays when its stack goes, with all that it needs: %s', (removalPolicy, kept) => {
  const template = Template.fromStack(withFileSystem(LOGGED, { removalPolicy }).stack);
  for (const type of BESIDE) template.hasResource(type, { DeletionPolicy: kept, UpdateReplacePolicy: 'Retain' });
});

test('the rules between the servers of an EFA file system stay with it, those for clients go with the clients', () => {
  const { stack, vpc, fileSystem } = withFileSystem(MIN.efa);
  fileSystem.grantMount(clientGroup(stack, vpc, false));
  for (const direction of ['Ingress', 'Egress']) {
    const found = Object.values(Template.fromStack(stack).findResources(`AWS::EC2::SecurityGroup${direction}`));
    const stays = found.filter(({ DeletionPolicy }) => DeletionPolicy === 'RetainExceptOnCreate');
    expect([stays.length, found.length > stays.length]).toEqual([1, true]);
    expect(JSON.stringify(stays)).not.toContain('Clients');
  }
});

test('a file system that may go goes with all that it needs', () => {
  const template = Template.fromStack(withFileSystem(LOGGED, { removalPolicy: RemovalPolicy.DESTROY }).stack);
  for (const type of BESIDE) expect(JSON.stringify(template.findResources(type))).not.toContain('Retain');
});

test('a snapshot at deletion, which CloudFormation does not make of a file system, is refused', () => {
  expect(() => withFileSystem(MIN.persistent2, { removalPolicy: RemovalPolicy.SNAPSHOT })).toThrow(
    "'removalPolicy' must be retain, retain-on-update-or-delete, destroy, got snapshot: CloudFormation cannot make a snapshot of a file " +
      "system; set 'backups' in the configuration for daily backups",
  );
});
