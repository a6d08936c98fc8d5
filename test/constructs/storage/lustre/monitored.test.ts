import { CfnParameter, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as sns from 'aws-cdk-lib/aws-sns';
import { LustreAlarms, LustreDashboard, LustreFileSystem } from '../../../../lib/constructs';
import { appWithFlags, emptyStack, ofType, resourcesOf, theOnly } from '../../../support/cdk';
import { monitored } from '../../../support/importer';

const ID = 'fs-0123456789abcdef0';

function existing(attributes: { metadataIops?: number | null } = {}) {
  const stack = emptyStack();
  return {
    stack,
    fileSystem: LustreFileSystem.fromFileSystemAttributes(stack, 'Existing', { fileSystemId: ID, ...attributes }),
  };
}

test('a file system made here has alarms on space, servers and metadata, which name it and tell one topic', () => {
  const { stack } = monitored();
  const alarms = ofType(resourcesOf(stack), 'AWS::CloudWatch::Alarm').map(([, alarm]) => alarm);
  const texts = alarms.map(({ Properties }) => JSON.stringify(Properties.AlarmName));
  for (const start of [
    'Fullest storage target of ',
    'Server network of ',
    'Disk throughput of ',
    'Metadata server CPU of ',
    'Metadata IOPS of ',
  ])
    expect(texts.filter((text) => text.includes(`"${start}"`))).toHaveLength(1);
  for (const { Properties } of alarms) {
    expect(JSON.stringify(Properties)).toContain('Scratch');
    expect(Properties.AlarmActions).toHaveLength(1);
  }
});

test('a file system that exists is known by its id, and an alarm counts its metadata IOPS only where they are known', () => {
  const ids = (attributes: Parameters<typeof existing>[0]) => {
    const { stack, fileSystem } = existing(attributes);
    return new LustreAlarms(stack, 'Alarms', { fileSystem }).alarms.map(({ node }) => node.id);
  };
  expect(ids({})).toEqual(['Capacity', 'Network', 'Disk', 'MetadataCpu'].map((id) => `${id}-FileSystem`));
  expect(ids({ metadataIops: 12_000 })).toContain('MetadataIops0-FileSystem');
});

test('refuses to watch from another Region or account, where its metrics are not', () => {
  const app = appWithFlags();
  const stackIn = (region: string, account: string) =>
    new Stack(app, `${region}-${account}`, { env: { region, account } });
  const fileSystem = LustreFileSystem.fromFileSystemAttributes(stackIn('us-east-1', '123456789012'), 'Existing', {
    fileSystemId: ID,
  });
  const abroad = stackIn('eu-west-1', '123456789012');
  const region =
    "'fileSystem' must be in region eu-west-1, that of eu-west-1-123456789012/Watch, got us-east-1-123456789012/Existing in us-east-1: make both in stacks of one region";
  expect(() => new LustreAlarms(abroad, 'Watch', { fileSystem })).toThrow(region);
  expect(() => new LustreDashboard(abroad, 'Watch2', { fileSystem })).toThrow('in region eu-west-1');
  const elsewhere = stackIn('us-east-1', '999999999999');
  expect(() => new LustreAlarms(elsewhere, 'Watch', { fileSystem })).toThrow('in account 999999999999');
  expect(() => new LustreAlarms(new Stack(app, 'Agnostic'), 'Watch', { fileSystem })).not.toThrow();
});

test('refuses metadata IOPS that come later', () => {
  const later = new CfnParameter(emptyStack(), 'Later', { type: 'Number' });
  expect(() => existing({ metadataIops: later.valueAsNumber })).toThrow(
    "'metadataIops' must be known when the template",
  );
});

test('takes a topic of the application, further actions, and no address beside a topic', () => {
  const { stack, fileSystem } = existing();
  const topic = new sns.Topic(stack, 'Own');
  const alarms = new LustreAlarms(stack, 'Alarms', { fileSystem, topic, name: 'scratch' });
  alarms.addAlarmAction(new actions.SnsAction(new sns.Topic(stack, 'Second')));
  const template = Template.fromStack(stack);
  template.resourceCountIs('AWS::SNS::Topic', 2);
  template.allResourcesProperties('AWS::CloudWatch::Alarm', {
    AlarmName: Match.stringLikeRegexp(' of scratch above .* \\(Test\\)$'),
    AlarmActions: [{ Ref: Match.stringLikeRegexp('^Own') }, { Ref: Match.stringLikeRegexp('^Second') }],
  });
  expect(() => {
    const { stack: other, fileSystem: watched } = existing();
    new LustreAlarms(other, 'Wrong', {
      fileSystem: watched,
      topic: new sns.Topic(other, 'T'),
      email: 'ops@example.com',
    });
  }).toThrow("'email' cannot be combined with 'topic', got ops@example.com: subscribe the address to that topic");
});

test('what is no address is refused before SNS would', () => {
  const { stack, fileSystem } = existing();
  expect(() => new LustreAlarms(stack, 'Alarms', { fileSystem, email: 'ops' })).toThrow(
    "'email' must be an e-mail address or the ARN of an SNS topic, got 'ops'",
  );
});

test('an alarm can be changed, as any of aws-cdk-lib', () => {
  const { stack, alarms } = monitored();
  const [fullest] = alarms.alarms;
  (fullest?.node.defaultChild as cloudwatch.CfnAlarm).threshold = 80;
  Template.fromStack(stack).hasResourceProperties('AWS::CloudWatch::Alarm', { Threshold: 80 });
});

test('two dashboards of one stack have two names, which hold the Region', () => {
  const { stack, fileSystem } = existing();
  for (const id of ['First', 'Second']) new LustreDashboard(stack, id, { fileSystem });
  const names = ofType(resourcesOf(stack), 'AWS::CloudWatch::Dashboard').map(([, { Properties }]) =>
    JSON.stringify(Properties.DashboardName),
  );
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name).toContain('AWS::Region');
});

test('the dashboard of a file system made here has its ceilings, and says what it is', () => {
  const { stack } = monitored();
  const text = JSON.stringify(theOnly(resourcesOf(stack), 'AWS::CloudWatch::Dashboard').Properties.DashboardBody);
  expect(text).toContain('disks, sustained');
  const { stack: plain, fileSystem } = existing();
  new LustreDashboard(plain, 'Dashboard', { fileSystem, description: 'home directories' });
  const body = JSON.stringify(theOnly(resourcesOf(plain), 'AWS::CloudWatch::Dashboard').Properties.DashboardBody);
  expect(body).toContain('home directories');
  expect(body).not.toContain('disks, sustained');
});

test('a file system has a method for every metric, and for those that alarms and graphs ask for most', () => {
  const { fileSystem } = existing();
  expect(fileSystem.metric('DataReadBytes').dimensions).toEqual({ FileSystemId: ID });
  expect(fileSystem.metric('CPUUtilization', { fileServer: 'MDS0000' }).dimensions).toEqual({
    FileServer: 'MDS0000',
    FileSystemId: ID,
  });
  expect(() => fileSystem.metric('CPUUtilization')).toThrow(
    "'fileServer' must be given for CPUUtilization, got nothing",
  );
  expect(fileSystem.metricAcross('StorageCapacityUtilization', 'MAX').expression).toContain(ID);
  expect(fileSystem.metricEach('CPUUtilization').expression).toContain(ID);
  for (const metric of [
    fileSystem.metricReadThroughput(),
    fileSystem.metricWriteThroughput(),
    fileSystem.metricIops(),
    fileSystem.metricCompressionRatio(),
  ])
    expect(Object.keys(metric.usingMetrics).length).toBeGreaterThan(0);
  expect(fileSystem.metricFreeCapacity().expression).toContain('FreeDataStorageCapacity');
});
