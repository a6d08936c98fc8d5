import * as cdk from 'aws-cdk-lib';
import { Construct, type IConstruct } from 'constructs';

const ID = 'FsxbenchBoot';

/** Seconds after which CloudFormation stops waiting: file systems, then the builder, then the clients. Creation policies end a silent boot long before. */
const TIMEOUT_SECONDS = 4 * 3600;

/**
 * The wait condition of a stack, which carries the reason for a failed boot into the stack's events, where `cdk deploy` prints it.
 *
 * A creation policy cannot: cfn-signal ignores `--reason` for a resource, since SignalResource has no field for it
 * (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cfn-signal.html, "wait condition handle only"). Creation and update policies
 * still decide when a group or an instance counts as created. A wait condition has no effect on later updates.
 */
export class BootSignals extends Construct {
  /** The wait condition of the stack that a construct is in; it is made on first use. */
  static of(scope: IConstruct): BootSignals {
    const stack = cdk.Stack.of(scope);
    return (stack.node.tryFindChild(ID) as BootSignals | undefined) ?? new BootSignals(stack);
  }

  /** Address to which each machine sends success, or failure with its reason; signed for this stack. */
  readonly url: string;
  private readonly condition: cdk.CfnWaitCondition;
  private machines = 0;

  private constructor(scope: Construct) {
    super(scope, ID);
    // CloudFormation cannot change a wait condition. `cdk deploy` keeps the value that a parameter had, so a fleet may change its size.
    const count = new cdk.CfnParameter(this, 'Count', {
      type: 'Number',
      description: 'Number of instances that report their first boot. Set at creation; do not change it',
      default: cdk.Lazy.number({ produce: () => this.machines }),
    });
    const handle = new cdk.CfnWaitConditionHandle(this, 'Handle');
    this.url = handle.ref;
    this.condition = new cdk.CfnWaitCondition(this, 'Condition', {
      handle: handle.ref,
      count: count.valueAsNumber,
      timeout: String(TIMEOUT_SECONDS),
    });
  }

  get logicalId(): string {
    return cdk.Stack.of(this).getLogicalId(this.condition);
  }

  /** Environment of a machine's user data. @param machines that boot with it */
  environment(machines: number): { readonly FSXBENCH_SIGNAL_URL: string } {
    this.machines += machines;
    return { FSXBENCH_SIGNAL_URL: this.url };
  }
}
