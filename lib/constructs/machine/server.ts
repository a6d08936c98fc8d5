import { Lazy, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import type { Construct, IDependable } from 'constructs';
import { BootSignals } from './bootSignals';
import { type SignallingInstanceProps, signallingInstance } from './instance';
import { acknowledgeServerWildcards, serverStatements } from './permissions';
import { instanceRole } from './role';
import { bootSeconds, machineUserData } from './userData';

export interface ServerProps extends Omit<SignallingInstanceProps, 'role' | 'userData' | 'instanceType'> {
  /** Description of its role, by which docs/security.md knows it. */
  readonly role: string;
  readonly instanceType: string;
  /** The routes out of the subnet. */
  readonly egress: IDependable;
  readonly bundle: assets.Asset;
  /** Log group of the stack, which gets the log of its boot. */
  readonly logGroup: logs.ILogGroup;
  /** Script of the bundle that makes it a server. */
  readonly boot: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Namespace of the metrics that it publishes. @default - it publishes none */
  readonly namespace?: string;
  /** Permissions next to those of every server. @default - nothing */
  readonly statements?: Readonly<Record<string, iam.PolicyStatement[]>>;
  /** Text that user data continues with. @default assets/client/user-data.sh */
  readonly script?: string;
}

/** A server of a storage that runs on machines of ours: its log is in the stack's group, and Session Manager leads to it, as with clients. */
export function serverInstance(scope: Construct, props: ServerProps): ec2.CfnInstance {
  const {
    role: description,
    egress,
    bundle,
    logGroup,
    boot,
    environment,
    namespace,
    statements,
    script,
    ...rest
  } = props;
  const { region, stackName } = Stack.of(scope);
  const role = instanceRole(scope, description, {
    ...serverStatements({ bundle, logGroup, namespace }),
    ...statements,
  });
  acknowledgeServerWildcards(role);
  const instance: ec2.CfnInstance = signallingInstance(scope, {
    ...rest,
    role,
    instanceType: new ec2.InstanceType(rest.instanceType),
    userData: machineUserData(
      {
        FSXBENCH_BOOT: boot,
        FSXBENCH_BUNDLE_URL: bundle.s3ObjectUrl,
        FSXBENCH_REGION: region,
        FSXBENCH_STACK: stackName,
        ...BootSignals.of(scope).environment(1),
        FSXBENCH_SIGNAL_RESOURCE: Lazy.string({ produce: () => instance.logicalId }),
        FSXBENCH_BOOT_SECONDS: bootSeconds(props.bootTimeout),
        FSXBENCH_LOG_GROUP: logGroup.logGroupName,
        ...environment,
      },
      script,
    ),
  });
  // Rules and routes are there before it boots.
  instance.node.addDependency(role, props.group, egress);
  return instance;
}
