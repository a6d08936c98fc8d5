import {
  Annotations,
  Aspects,
  CfnDeletionPolicy,
  CfnResource,
  CliCredentialsStackSynthesizer,
  type Duration,
  LegacyStackSynthesizer,
  Stack,
  type StackProps,
} from 'aws-cdk-lib';
import * as fsx from 'aws-cdk-lib/aws-fsx';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct, type IConstruct } from 'constructs';
import { unresolvedTokenMessage } from '../../constructs/common';
import { alarmTopic } from '../../constructs/dashboard/operations';
import { Expiry } from './expiry';

/** Lifetime of a stack, and who is notified if it cannot be deleted. */
export interface ExpiringStackProps extends StackProps {
  /** Time from deployment to deletion, 36 seconds to 365 days, met within 15 minutes (1 if below an hour). Only another time moves the deadline. */
  readonly expiresAfter: Duration;
  /** Address that receives the reason why the stack could not be deleted, once confirmed, or ARN of an existing topic. @default - none: subscribe to `expiryTopic` */
  readonly email?: string;
}

const LEAST_HOURS = 0.01;
const MOST_HOURS = 8760;

/** Synthesizers with which `cdk deploy` passes no role to CloudFormation. */
const WITHOUT_ROLE = [CliCredentialsStackSynthesizer, LegacyStackSynthesizer] as const;

/**
 * A stack that deletes itself: a schedule starts a state machine, which calls CloudFormation when the time is over, and watches how the
 * deletion ends. No Lambda function, and nothing outside the stack.
 *
 * - CloudFormation deletes with the role that deployed the stack; `cdk deploy` passes that of `cdk bootstrap`. The state machine
 *   may only request the deletion of this stack: see the warning `fsxbench:expiryWithoutRole`.
 * - A stack whose creation or deletion has failed is deleted at once, and tried again each hour. The topic reports what prevents the deletion,
 *   including termination protection.
 * - A resource whose removal policy retains it stays, and continues to incur charges: see the warning `fsxbench:retainedFileSystem`.
 * - What the self-deletion refers to, such as a boundary of its roles or a key of its topic, must be in another stack.
 * - To move the deadline, put another time, in UTC, into the parameter: `aws ssm put-parameter --overwrite --name … --value 2030-12-31T18:00:00Z`.
 */
export class ExpiringStack extends Stack {
  /** Name of the SSM parameter that holds when the stack expires, in UTC. */
  readonly deadlineParameterName: string;
  /** Topic that reports why the stack could not be deleted, and that gets the alarms on the state machine. */
  readonly expiryTopic: sns.ITopic;

  /** @throws Error when the time is out of bounds */
  constructor(scope: Construct, id: string, props: ExpiringStackProps) {
    const { expiresAfter, email, ...stackProps } = props;
    super(scope, id, stackProps);
    if (expiresAfter.isUnresolved()) throw new Error(unresolvedTokenMessage('expiresAfter'));
    const hours = expiresAfter.toHours({ integral: false });
    if (!(hours >= LEAST_HOURS && hours <= MOST_HOURS))
      throw new Error(`'expiresAfter' must be between 36 seconds and 365 days, got ${expiresAfter.toHumanString()}`);
    if (WITHOUT_ROLE.some((kind) => this.synthesizer instanceof kind))
      Annotations.of(this).addWarningV2(
        'fsxbench:expiryWithoutRole',
        'this stack is deployed with the credentials of a user, which CloudFormation no longer has when the stack expires: use the default synthesizer, or deploy with a role (cdk deploy --role-arn …)',
      );
    const own = new Construct(this, 'SelfDeletion');
    const topic = alarmTopic(own, email);
    const expiry = new Expiry(own, 'Expiry', { hours, topic });
    this.expiryTopic = topic;
    this.deadlineParameterName = expiry.deadline;
    Aspects.of(this).add({ visit: (node) => this.visit(node, own, expiry.last) });
  }

  /** All other resources are created after those that end the stack, and deleted before them. */
  private visit(node: IConstruct, own: Construct, guards: readonly IConstruct[]): void {
    if (!CfnResource.isCfnResource(node) || node.node.scopes.includes(own)) return;
    if (node.stack === this) node.node.addDependency(...guards);
    if (node instanceof fsx.CfnFileSystem && isRetained(node))
      Annotations.of(node).addWarningV2(
        'fsxbench:retainedFileSystem',
        "this file system stays when its stack deletes itself, and continues to incur charges: set 'removalPolicy' to RemovalPolicy.DESTROY if its data may go",
      );
  }
}

const isRetained = ({ cfnOptions }: CfnResource): boolean =>
  cfnOptions.deletionPolicy !== undefined && cfnOptions.deletionPolicy !== CfnDeletionPolicy.DELETE;
