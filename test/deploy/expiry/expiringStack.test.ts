import {
  Aspects,
  CfnOutput,
  CfnParameter,
  CliCredentialsStackSynthesizer,
  DefaultStackSynthesizer,
  Duration,
  LegacyStackSynthesizer,
  NestedStack,
  RemovalPolicy,
} from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { ExpiringStack, LustreFileSystem } from '../../../lib/constructs';
import { appWithFlags, emptyStack, ofType, type Resource, resourcesOf, theOnly } from '../../support/cdk';
import { expiring } from '../../support/importer';

const definitionOf = (stack: ExpiringStack): { States: Record<string, { Next?: string }> } => {
  const parts = theOnly(resourcesOf(stack), 'AWS::StepFunctions::StateMachine').Properties.DefinitionString[
    'Fn::Join'
  ][1] as unknown[];
  return JSON.parse(parts.map((part) => (typeof part === 'string' ? part : 'filled-in')).join(''));
};

test('calls for the deletion of nothing but its own stack, and commands no machine', () => {
  const stack = expiring();
  const [, role] = ofType(resourcesOf(stack), 'AWS::IAM::Role').find(([id]) => /ExpiryRole/.test(id)) as [
    string,
    Resource,
  ];
  const { Statement } = role.Properties.Policies[0].PolicyDocument as {
    Statement: { Sid: string; Resource: unknown }[];
  };
  expect(Statement.map(({ Sid }) => Sid)).toEqual(['Deadline', 'Stack', 'Message']);
  expect(Statement[1]?.Resource).toEqual({ Ref: 'AWS::StackId' });
  Template.fromStack(stack).resourceCountIs('AWS::SSM::Document', 0);
});

test('deletes without asking anybody first, and every state leads to one that exists', () => {
  const { States } = definitionOf(expiring());
  expect(States.Claim?.Next).toBe('Delete');
  expect(Object.keys(States)).not.toContain('EndRuns');
  const next = [...JSON.stringify(States).matchAll(/"(?:Next|Default)":"(\w+)"/g)].map(([, name]) => name);
  for (const name of next) expect(Object.keys(States)).toContain(name);
});

test('whatever it holds is deleted before the machine that deletes it', () => {
  const stack = expiring(Duration.days(1), 'ops@example.com');
  new s3.Bucket(stack, 'Bucket');
  const nested = new NestedStack(stack, 'Nested');
  new sqs.Queue(nested, 'Queue');
  const template = resourcesOf(stack);
  const [schedule = ''] = ofType(template, 'AWS::Scheduler::Schedule').map(([id]) => id);
  for (const type of ['AWS::S3::Bucket', 'AWS::CloudFormation::Stack'])
    expect(theOnly(template, type).DependsOn).toContain(schedule);
  expect(() => new CfnOutput(stack, 'Late', { value: stack.deadlineParameterName })).not.toThrow();
});

describe('what its own end needs is made before it, and nothing waits for itself', () => {
  /** Resources of the stack that are not made after the schedule; a circle fails here. */
  const early = (stack: ExpiringStack): string[] => {
    new s3.Bucket(stack, 'Bucket');
    const template = resourcesOf(stack);
    const [schedule = ''] = ofType(template, 'AWS::Scheduler::Schedule').map(([id]) => id);
    return Object.entries(template)
      .filter(([id, { DependsOn = [] }]) => !id.startsWith('SelfDeletion') && !DependsOn.includes(schedule))
      .map(([, { Type }]) => Type);
  };

  test('a boundary of its roles', () => {
    const stack = expiring();
    const statements = [new iam.PolicyStatement({ actions: ['*'], resources: ['*'] })];
    iam.PermissionsBoundary.of(stack).apply(new iam.ManagedPolicy(stack, 'Boundary', { statements }));
    expect(early(stack)).toEqual(['AWS::IAM::ManagedPolicy']);
  });

  test('one more topic of its alarms, and the key of that, also where an aspect names them', () => {
    const stack = expiring();
    const masterKey = new kms.Key(stack, 'Key');
    const topic = new sns.Topic(stack, 'Operations', { masterKey });
    Aspects.of(stack).add({
      visit: (node) => node instanceof cloudwatch.Alarm && node.addAlarmAction(new SnsAction(topic)),
    });
    expect(early(stack).sort()).toEqual(['AWS::KMS::Key', 'AWS::SNS::Topic']);
  });

  test('a key of its topic, and what that waits for', () => {
    const stack = expiring();
    const key = new kms.Key(stack, 'Key');
    key.node.addDependency(new iam.Role(stack, 'Admin', { assumedBy: new iam.AccountRootPrincipal() }));
    (stack.expiryTopic.node.defaultChild as sns.CfnTopic).kmsMasterKeyId = key.keyId;
    expect(early(stack).sort()).toEqual(['AWS::IAM::Role', 'AWS::KMS::Key']);
  });

  test('and nothing else', () => {
    expect(early(expiring())).toEqual([]);
  });
});

test.each([
  ['a week', Duration.days(7), 'rate(15 minutes)'],
  ['half an hour', Duration.minutes(30), 'rate(1 minute)'],
])('after %s the stack goes', (_, time, rate) => {
  Template.fromStack(expiring(time)).hasResourceProperties('AWS::Scheduler::Schedule', { ScheduleExpression: rate });
});

test.each([Duration.seconds(1), Duration.days(366)])('a time out of bounds is refused: %s', (time) => {
  expect(() => expiring(time)).toThrow(
    `'expiresAfter' must be between 36 seconds and 365 days, got ${time.toHumanString()}`,
  );
});

test.each([
  [new DefaultStackSynthesizer(), 0],
  [new CliCredentialsStackSynthesizer(), 1],
  [new LegacyStackSynthesizer(), 1],
])('a deployment without a role, by which nothing could be deleted later, is warned of: %#', (synthesizer, count) => {
  const stack = new ExpiringStack(appWithFlags(), 'Trial', { expiresAfter: Duration.hours(8), synthesizer });
  const found = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('fsxbench:expiryWithoutRole'));
  expect(found).toHaveLength(count);
});

test('a time that comes later is refused by its name', () => {
  const later = new CfnParameter(emptyStack(), 'Later', { type: 'Number' });
  expect(() => expiring(Duration.hours(later.valueAsNumber))).toThrow(
    "'expiresAfter' must be known when the template is",
  );
});

test('a file system that would stay is warned of, one that goes is not', () => {
  const warnings = (removalPolicy?: RemovalPolicy) => {
    const stack = expiring();
    const vpc = new ec2.Vpc(stack, 'Vpc', { availabilityZones: ['us-east-1a'] });
    new LustreFileSystem(stack, 'Scratch', {
      vpc,
      subnet: vpc.privateSubnets[0] as ec2.ISubnet,
      configuration: { deploymentType: 'SCRATCH_2', storageCapacityGiB: 1200 },
      removalPolicy,
    });
    return Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('fsxbench:retainedFileSystem'));
  };
  expect(warnings()).toHaveLength(1);
  expect(warnings(RemovalPolicy.DESTROY)).toEqual([]);
});
