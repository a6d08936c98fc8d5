import { Annotations, CfnResource, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

export interface RefusedStackProps extends StackProps {
  /** Each one line with the next step; at least one. */
  readonly problems: readonly string[];
}

/** Stands for a stack whose settings are refused: the CDK CLI can destroy it, and reports its problems instead of deploying it. */
export class RefusedStack extends Stack {
  constructor(scope: Construct, id: string, props: RefusedStackProps) {
    const { problems, ...stackProps } = props;
    super(scope, id, stackProps);
    for (const problem of problems) Annotations.of(this).addError(problem);
    // `cdk deploy --ignore-errors` would take a template without resources as an order to delete the stack; this one CloudFormation rejects.
    new CfnResource(this, 'Refused', { type: 'Fsxbench::Settings::Refused' });
  }
}
