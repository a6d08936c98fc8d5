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
import { Construct, Dependable, type IConstruct, type IDependable } from 'constructs';
import { unresolvedTokenMessage } from '../../constructs/common';
import { alarmTopic } from '../../constructs/dashboard/operations';
import { Expiry } from './expiry';

/** Logical ids in a template's JSON: of Ref, Fn::GetAtt and Fn::Sub. */
const REFERENCES = [/"(?:Ref|Fn::GetAtt)":\[?"([A-Za-z0-9]+)"/g, /\$\{([A-Za-z0-9]+)(?:\.[^}]*)?\}/g] as const;

/** CDK hides from its types what it writes for a resource, and offers nothing else that has the references in it. */
type Written = CfnResource & { _toCloudFormation(): object };

/** Resources of the stack that a construct's resources need, directly or through others: they must exist before it, so they cannot wait for it. */
function neededBy(construct: Construct): ReadonlySet<CfnResource> {
  const stack = Stack.of(construct);
  const resources = (of: Construct): CfnResource[] => of.node.findAll().filter(CfnResource.isCfnResource);
  const byId = new Map(
    resources(stack)
      .filter((resource) => resource.stack === stack)
      .map((resource) => [stack.resolve(resource.logicalId) as string, resource]),
  );
  const needs = (resource: CfnResource): (CfnResource | undefined)[] => {
    const text = JSON.stringify(stack.resolve((resource as Written)._toCloudFormation()));
    return [
      ...REFERENCES.flatMap((form) => [...text.matchAll(form)].map(([, id = '']) => byId.get(id))),
      ...resource.node.scopes.flatMap(({ node }) => node.dependencies).flatMap((root) => resources(root as Construct)),
    ];
  };
  const needed = new Set<CfnResource>();
  const open = resources(construct);
  for (let resource = open.pop(); resource !== undefined; resource = open.pop()) {
    for (const other of needs(resource)) {
      if (other === undefined || needed.has(other)) continue;
      needed.add(other);
      open.push(other);
    }
  }
  return needed;
}

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
    let needed: ReadonlySet<CfnResource> | undefined;
    // Asked when all aspects are through: they may have given the self-deletion a boundary, a key or one more topic of this stack.
    const guards = (resource: CfnResource): readonly IConstruct[] => {
      if (needed === undefined) {
        needed = new Set();
        needed = neededBy(own);
      }
      return needed.has(resource) ? [] : expiry.last;
    };
    Aspects.of(this).add({ visit: (node) => this.visit(node, own, guards) });
  }

  /** All other resources are created after those that end the stack, and deleted before them. */
  private visit(node: IConstruct, own: Construct, guards: (resource: CfnResource) => readonly IConstruct[]): void {
    if (!CfnResource.isCfnResource(node) || node.node.scopes.includes(own)) return;
    const guard: IDependable = {};
    Dependable.implement(guard, {
      get dependencyRoots() {
        return [...guards(node)];
      },
    });
    if (node.stack === this) node.node.addDependency(guard);
    if (node instanceof fsx.CfnFileSystem && isRetained(node))
      Annotations.of(node).addWarningV2(
        'fsxbench:retainedFileSystem',
        "this file system stays when its stack deletes itself, and continues to incur charges: set 'removalPolicy' to RemovalPolicy.DESTROY if its data may go",
      );
  }
}

const isRetained = ({ cfnOptions }: CfnResource): boolean =>
  cfnOptions.deletionPolicy !== undefined && cfnOptions.deletionPolicy !== CfnDeletionPolicy.DELETE;
