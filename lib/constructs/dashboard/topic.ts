import { Stack, Token } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
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
