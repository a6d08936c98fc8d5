import { BOUNDED } from '../kit/aws/bounded';

/** Who is told when an alarm goes off. */
export interface AlarmTopic {
  /** True if anybody subscribed, confirmed or not. */
  hasSubscriber(): Promise<boolean>;
  subscribe(email: string): Promise<void>;
}

/** A stack's topic in Amazon SNS. */
export function alarmTopicOf(TopicArn: string): AlarmTopic {
  const client = async () => {
    const sns = await import('@aws-sdk/client-sns');
    return { sns, asked: new sns.SNSClient(BOUNDED) };
  };
  return {
    async hasSubscriber() {
      const { sns, asked } = await client();
      const { Subscriptions = [] } = await asked.send(new sns.ListSubscriptionsByTopicCommand({ TopicArn }));
      return Subscriptions.length > 0;
    },
    async subscribe(Endpoint) {
      const { sns, asked } = await client();
      await asked.send(new sns.SubscribeCommand({ TopicArn, Protocol: 'email', Endpoint }));
    },
  };
}
