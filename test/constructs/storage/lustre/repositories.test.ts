import { RemovalPolicy } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { LustreFileSystem } from '../../../../lib/constructs/storage/lustre/fileSystem';
import type { LustreConfiguration } from '../../../../lib/storage/lustre/configuration';
import { MIN } from '../../../storage/lustre/configurations';
import { clientGroup, network, withFileSystem } from './declared';

describe('data repositories and their log', () => {
  const linked: LustreConfiguration = {
    ...MIN.persistent2,
    logLevel: 'WARN_ERROR',
    dataRepositories: [
      { fileSystemPath: '/in', dataRepositoryPath: 's3://bucket/in', autoImport: ['NEW', 'CHANGED'] },
      {
        fileSystemPath: '/out',
        dataRepositoryPath: 's3://bucket/out',
        autoExport: ['NEW', 'DELETED'],
        importMetadataOnCreate: true,
        importedFileChunkSizeMiB: 2048,
      },
    ],
  };

  test('each link is a resource of the file system with its events', () => {
    const template = Template.fromStack(withFileSystem(linked).stack);
    const links = Object.values(template.findResources('AWS::FSx::DataRepositoryAssociation'));
    expect(links.map(({ Properties }) => Properties)).toMatchSnapshot();
  });

  test('removing one link leaves the ids of the others', () => {
    const ids = (configuration: LustreConfiguration) =>
      Object.keys(
        Template.fromStack(withFileSystem(configuration).stack).findResources('AWS::FSx::DataRepositoryAssociation'),
      );
    const [, second] = ids(linked);
    expect(ids({ ...linked, dataRepositories: linked.dataRepositories?.slice(1) })).toEqual([second]);
  });

  test('directories that differ in a dash alone can be linked together, and the first keeps its id', () => {
    const paths = ['/a/b', '/a-b'];
    const ids = (directories: readonly string[]) => {
      const dataRepositories = directories.map((fileSystemPath, index) => ({
        fileSystemPath,
        dataRepositoryPath: `s3://bucket/${index}`,
      }));
      const { stack } = withFileSystem({ ...MIN.persistent2, dataRepositories });
      return Object.keys(Template.fromStack(stack).findResources('AWS::FSx::DataRepositoryAssociation'));
    };
    expect(ids(paths)).toHaveLength(2);
    expect(ids(paths)).toEqual(expect.arrayContaining(ids(['/a/b'])));
  });

  test('a bucket of the same stack can be linked', () => {
    const { stack, vpc, subnet } = network();
    const bucket = new s3.Bucket(stack, 'Data');
    const dataRepositories = [{ fileSystemPath: '/in', dataRepositoryPath: bucket.s3UrlForObject('in') }];
    new LustreFileSystem(stack, 'Storage', { vpc, subnet, configuration: { ...MIN.persistent2, dataRepositories } });
    Template.fromStack(stack).hasResourceProperties('AWS::FSx::DataRepositoryAssociation', {
      DataRepositoryPath: { 'Fn::Join': ['', ['s3://', { Ref: Match.stringLikeRegexp('^Data') }, '/in']] },
    });
  });

  test('the log group has the prefix that AWS insists on, and goes with the file system, which has its ARN without `:*`', () => {
    const template = Template.fromStack(withFileSystem(linked, { removalPolicy: RemovalPolicy.DESTROY }).stack);
    const [fileSystem] = Object.values(template.findResources('AWS::FSx::FileSystem'));
    expect(template.findResources('AWS::Logs::LogGroup')).toMatchSnapshot();
    expect(fileSystem?.Properties.LustreConfiguration.LogConfiguration).toMatchSnapshot();
  });

  test('a log group that stays is not in the way of the next stack of that name', () => {
    const { stack } = withFileSystem(linked);
    const [group] = Object.values(Template.fromStack(stack).findResources('AWS::Logs::LogGroup'));
    expect(group?.DeletionPolicy).toBe('RetainExceptOnCreate');
    expect(JSON.stringify(group?.Properties.LogGroupName)).toContain('{"Ref":"AWS::StackId"}');
  });

  test('a log that is switched off has no destination, which AWS would refuse', () => {
    const { stack } = withFileSystem({ ...linked, logLevel: 'DISABLED' });
    Template.fromStack(stack).resourceCountIs('AWS::Logs::LogGroup', 0);
    Template.fromStack(stack).hasResourceProperties('AWS::FSx::FileSystem', {
      LustreConfiguration: { LogConfiguration: { Level: 'DISABLED', Destination: Match.absent() } },
    });
  });
});

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
