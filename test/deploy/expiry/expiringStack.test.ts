import {
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
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as s3 from 'aws-cdk-lib/aws-s3';
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

test('everything but the self-deletion is made after the schedule', () => {
  const stack = expiring();
  new s3.Bucket(stack, 'Bucket');
  const template = resourcesOf(stack);
  const [schedule = ''] = ofType(template, 'AWS::Scheduler::Schedule').map(([id]) => id);
  for (const [id, { DependsOn = [] }] of Object.entries(template))
    if (!id.startsWith('SelfDeletion')) expect(DependsOn).toContain(schedule);
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
