import { offerAlarms } from '../../../lib/cli/start/runFleet';
import { temporaryFolder } from '../../run/bench';

/** A stack whose topic remembers who subscribed. */
function world({ interactive = true, subscribed = [] as string[], fails = false } = {}) {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const asked: string[] = [];
  const said: string[] = [];
  const offer = async (answers: readonly string[], name = 'CompressionBench', subscribers = subscribed) => {
    const left = [...answers];
    await offerAlarms(
      { root: '/', environment, interactive, out: () => {}, err: (text) => void said.push(text) },
      { name, alarmTopic: `arn:aws:sns:us-east-1:123456789012:${name}` },
      {
        topicOf: () => ({
          hasSubscriber: async () => subscribers.length > 0,
          subscribe: async (email) => {
            if (fails) throw new Error('not authorized to perform SNS:Subscribe');
            subscribers.push(email);
          },
        }),
        question: async (text) => {
          asked.push(text);
          return left.shift() ?? '';
        },
      },
    );
    return subscribers;
  };
  return { offer, asked, said };
}

test('asks once, on a terminal, and takes the answer for later stacks, too', async () => {
  const { offer, asked, said } = world();
  expect(await offer(['ops@example.com'])).toEqual(['ops@example.com']);
  expect(await offer([], 'MetadataBench', [])).toEqual(['ops@example.com']);
  expect(asked).toHaveLength(1);
  expect(said.join('')).toContain('alarms of MetadataBench go to ops@example.com as soon as the mail');
});

test('never asks without a terminal, but says that nobody is told, and how to change that', async () => {
  const { offer, asked, said } = world({ interactive: false });
  expect(await offer(['ops@example.com'])).toEqual([]);
  expect(asked).toEqual([]);
  expect(said.join('')).toContain(
    'no terminal to ask on: npx cdk deploy CompressionBench -c alarmEmail=you@example.com',
  );
});

test('does not ask again whoever wants no mail', async () => {
  const { offer, asked } = world();
  expect(await offer([''])).toEqual([]);
  expect(await offer(['ops@example.com'])).toEqual([]);
  expect(asked).toHaveLength(1);
});

test('does not ask where somebody has subscribed', async () => {
  const { offer, asked, said } = world({ subscribed: ['team@example.com'] });
  expect(await offer(['ops@example.com'])).toEqual(['team@example.com']);
  expect([asked, said]).toEqual([[], []]);
});

test('asks again for what is no address', async () => {
  const { offer, said } = world();
  expect(await offer(['ops', 'ops@example.com'])).toEqual(['ops@example.com']);
  expect(said[0]).toBe("the address must be like you@example.com, got 'ops'\n");
});

test('a refusal by AWS stops nothing', async () => {
  const { offer, said } = world({ fails: true });
  expect(await offer(['ops@example.com'])).toEqual([]);
  expect(said.join('')).toMatch(/nobody could be subscribed .*SNS:Subscribe.*-c alarmEmail=/);
});
