import { CfnOutput, Stack, Token } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct, IConstruct } from 'constructs';
import { emailAddress, topicArn } from '../../common/email';

/** The topic of all alarms: an existing one by ARN, or a new one that notifies an address. @throws Error for anything else */
export function alarmTopic(scope: Construct, email: string | undefined): sns.ITopic {
  if (topicArn.safeParse(email).success) return sns.Topic.fromTopicArn(scope, 'Topic', String(email));
  if (email !== undefined && !Token.isUnresolved(email) && !emailAddress.safeParse(email).success)
    throw new Error(
      `'email' must be an e-mail address or the ARN of an SNS topic, got '${email}': leave it out, and subscribe to the topic yourself`,
    );
  const topic = new sns.Topic(scope, 'Topic', { enforceSSL: true });
  // The rule above replaces the default policy, by which alarms of the account could publish.
  topic.addToResourcePolicy(
    new iam.PolicyStatement({
      sid: 'AlarmsOfThisAccount',
      principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (email !== undefined) topic.addSubscription(new subscriptions.EmailSubscription(email));
  return topic;
}

/** The name of a stack's dashboard, with its Region: an account's dashboards share names, and a second one overwrites the first (PutDashboard). */
export const dashboardNameOf = ({ stackName, region }: Stack): string => `${stackName}-${region}`;

/** Hosts of the console by partition; the others have no public one that is known here. */
const CONSOLES: readonly (readonly [start: string, host: string])[] = [
  ['cn-', 'console.amazonaws.cn'],
  ['us-gov-', 'console.amazonaws-us-gov.com'],
];

export function outputDashboard(stack: Stack, dashboardName: string): void {
  const { region } = stack;
  const known = Token.isUnresolved(region) ? undefined : CONSOLES.find(([start]) => region.startsWith(start));
  const host = known?.[1] ?? 'console.aws.amazon.com';
  const value = `https://${host}/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboardName}`;
  new CfnOutput(stack, 'DashboardUrl', { value, description: 'The dashboard in a browser' });
}

/** Checks that alarms and graphs are in their metrics' account and Region: elsewhere they find no data. @throws Error if they are known to differ */
export function requireSameEnvironment(watching: IConstruct, watched: IConstruct): void {
  const [here, there] = [Stack.of(watching), Stack.of(watched)];
  for (const part of ['region', 'account'] as const) {
    const [own, other] = [here[part], there[part]];
    if (own === other || Token.isUnresolved(own) || Token.isUnresolved(other)) continue;
    throw new Error(
      `'fileSystem' must be in ${part} ${own}, that of ${watching.node.path}, got ${watched.node.path} in ${other}: make both in stacks of one ${part}`,
    );
  }
}
