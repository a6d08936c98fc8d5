import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { BOUNDED } from '../../common/aws/bounded';
import { explain } from '../../common/aws/explain';
import { readWhole } from '../../common/readWhole';
import { stateFolder } from '../../run/started';
import { type AlarmAnswer, alarmAnswerSchema } from '../../schema/alarms';
import { readTextOrNull } from '../../schema/document';
import { RunFolder } from '../../store/folder';
import { type CliContext, documentText } from '../context';
import { ask } from '../input/confirm';

const FILE = 'alarms.json';

/** The stack whose alarms these are. */
interface Alarming {
  readonly name: string;
  /** ARN of its topic. @default - nobody can subscribe */
  readonly alarmTopic?: string;
}

export interface AlarmOptions {
  /** @default - Amazon SNS */
  readonly topicOf?: (arn: string) => AlarmTopic;
  /** @default - on the terminal */
  readonly question?: (text: string) => Promise<string>;
}

/**
 * Makes sure that somebody is notified of the alarms of an expensive run: asks for an address once, on a terminal, and uses the answer for
 * later stacks as well. A failure here stops no run.
 */
export async function offerAlarms(
  context: CliContext,
  { name, alarmTopic }: Alarming,
  { topicOf = alarmTopicOf, question = ask }: AlarmOptions = {},
): Promise<void> {
  if (alarmTopic === undefined) return;
  const say = (text: string): void => context.err(`${text}\n`);
  const later = `npx cdk deploy ${name} -c alarmEmail=you@example.com, or subscribe to ${alarmTopic}`;
  const topic = topicOf(alarmTopic);
  try {
    if (await topic.hasSubscriber()) return;
    const known = answerIn(context);
    if (known === null && !context.interactive) {
      say(`nobody is notified when an alarm of ${name} goes off, and there is no terminal to ask on: ${later}`);
      return;
    }
    const email = known === null ? await asked(name, question, say) : known.email;
    if (known === null) keep(context, email);
    if (email === null) {
      if (known === null)
        say(`nobody is notified when an alarm of ${name} goes off; this is not asked again: ${later}`);
      return;
    }
    await topic.subscribe(email);
    say(`alarms of ${name} go to ${email} as soon as the mail that AWS now sends is confirmed`);
  } catch (error) {
    say(`nobody could be subscribed to the alarms of ${name} (${explain(error)}): ${later}`);
  }
}

/** @returns `null` for nobody */
async function asked(
  name: string,
  question: (text: string) => Promise<string>,
  say: (text: string) => void,
): Promise<string | null> {
  for (;;) {
    const answer = (
      await question(`Whom should AWS mail when an alarm of ${name} goes off? E-mail address, or Enter for nobody: `)
    ).trim();
    if (answer === '') return null;
    if (z.email().safeParse(answer).success) return answer;
    say(`the address must be like you@example.com, got '${answer}'`);
  }
}

function answerIn({ environment }: CliContext): AlarmAnswer | null {
  const path = join(stateFolder(environment), FILE);
  return existsSync(path) ? readTextOrNull(alarmAnswerSchema, readWhole(path)) : null;
}

function keep({ environment }: CliContext, email: string | null): void {
  const answer: AlarmAnswer = { schema: 'fsxbench.alarms/1', email, answeredAt: new Date().toISOString() };
  new RunFolder(stateFolder(environment)).write(FILE, documentText(answer));
}

/** Subscriptions to a stack's alarms. */
interface AlarmTopic {
  /** True if anybody subscribed, confirmed or not. */
  hasSubscriber(): Promise<boolean>;
  subscribe(email: string): Promise<void>;
}

/** A stack's topic in Amazon SNS. */
function alarmTopicOf(TopicArn: string): AlarmTopic {
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
