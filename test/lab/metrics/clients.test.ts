import type { CloudWatchClient, PutMetricDataCommandInput } from '@aws-sdk/client-cloudwatch';
import { clientCounters, clientData, clientPublisher, withLinks } from '../../../lib/lab/metrics/clients';

const STAT = (busy: number, idle: number) =>
  `cpu  ${busy} 0 10 ${idle} 20 0 3 2 7 0\ncpu0 1 0 0 1 0 0 0 0 0 0\nintr 5\n`;

/** Statistics as Linux prints them: bytes are the first and the ninth column. */
const NET = (
  received: number,
  sent: number,
) => `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 99999 10 0 0 0 0 0 0 99999 10 0 0 0 0 0 0
  eth0:${received} 20 0 0 0 0 0 0 ${sent} 20 0 0 0 0 0 0
 veth1: 5 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0
`;

test('the load of clients is that of all processors, waiting is none of it, and the loopback carries none of their traffic', () => {
  expect(clientCounters(STAT(100, 50), NET(1000, 2000))).toEqual({ busy: 115, total: 185, received: 1005, sent: 2007 });
});

test('what servers of a model received, their clients sent; a link that is gone counts nothing', () =>
  expect(withLinks(clientCounters(STAT(1, 1), NET(1, 2)), [{ received: 100, sent: 40 }, null])).toMatchObject({
    received: 46,
    sent: 109,
  }));

test('a period has what was used and moved in it, and never less than nothing', () => {
  const before = clientCounters(STAT(100, 50), NET(1000, 2000));
  const now = clientCounters(STAT(175, 75), NET(4000, 1000));
  expect(clientData(before, now)).toEqual([
    { name: 'CPUUtilization', unit: 'Percent', value: 75 },
    { name: 'NetworkIn', unit: 'Bytes', value: 3000 },
    { name: 'NetworkOut', unit: 'Bytes', value: 0 },
  ]);
  // Within a tick, no share of processors is known.
  expect(clientData(now, { ...now, received: 0 })).toEqual([
    { name: 'NetworkIn', unit: 'Bytes', value: 0 },
    { name: 'NetworkOut', unit: 'Bytes', value: 0 },
  ]);
});

describe('the load of a deployment’s clients', () => {
  /** Bytes that no other traffic of this computer comes to. */
  const MUCH = 1e15;

  /** Values published in each of three periods: the link of the servers grows in the second alone. */
  async function published(autoScalingGroup: string | null) {
    const sent: PutMetricDataCommandInput[] = [];
    const client = {
      send: async ({ input }: { input: PutMetricDataCommandInput }) => void sent.push(input),
    } as unknown as CloudWatchClient;
    let link = { received: 0, sent: 0 };
    const publish = clientPublisher(client, { autoScalingGroup, instanceType: 'c5n.large' }, async () => [link]);
    const counts = [await publish(new Date(0))];
    link = { received: MUCH, sent: 2 * MUCH };
    counts.push(await publish(new Date(5000)), await publish(new Date(10_000)));
    return { sent, counts };
  }

  test('is published from the second period on, by group and by type, each period with its own', async () => {
    const { sent, counts } = await published('clients');
    expect(counts[0]).toBe(0);
    const network = sent.map(({ MetricData = [] }) =>
      MetricData.filter(({ Unit }) => Unit === 'Bytes').map(({ MetricName, Dimensions = [], Timestamp, Value = 0 }) => [
        MetricName,
        Dimensions.map(({ Name, Value }) => `${Name}=${Value}`).join(),
        Timestamp?.getTime(),
        Math.floor(Value / MUCH),
      ]),
    );
    const rows = (at: number, received: number, wrote: number) => [
      ['NetworkIn', 'AutoScalingGroupName=clients', at, received],
      ['NetworkIn', 'InstanceType=c5n.large', at, received],
      ['NetworkOut', 'AutoScalingGroupName=clients', at, wrote],
      ['NetworkOut', 'InstanceType=c5n.large', at, wrote],
    ];
    expect(network).toEqual([rows(5000, 2, 1), rows(10_000, 0, 0)]);
  });

  test('has the bytes of a link that did not answer once in the period of its next answer', async () => {
    const network: number[] = [];
    const client = {
      send: async ({ input: { MetricData = [] } }: { input: PutMetricDataCommandInput }) =>
        network.push(Math.floor((MetricData.find(({ MetricName }) => MetricName === 'NetworkIn')?.Value ?? 0) / MUCH)),
    } as unknown as CloudWatchClient;
    const answers = [7, null, 9].map((sent) => (sent === null ? null : { received: 0, sent: sent * MUCH }));
    const links = async () => [answers.shift() ?? null];
    const publish = clientPublisher(client, { autoScalingGroup: null, instanceType: 'c5n.large' }, links);
    for (const at of [0, 5000, 10_000]) await publish(new Date(at));
    expect(network).toEqual([0, 2]);
  });

  test('is published by type alone where no group holds them', async () => {
    const [first] = (await published(null)).sent;
    const names = first?.MetricData?.flatMap(({ Dimensions = [] }) => Dimensions.map(({ Name }) => Name));
    expect(new Set(names)).toEqual(new Set(['InstanceType']));
  });
});
