import { atServers, parseCpu, parseOffloaded, spentBetween } from '../../../lib/run/clients/servers';
import type { ClientConfig } from '../../../lib/schema/client';
import type { StorageConfiguration } from '../../../lib/schema/deployment';
import type { Plan, WorkloadAction } from '../../../lib/schema/plan';
import type { Sample } from '../../../lib/schema/sample';
import { workload } from '../../support/records';
import { type Behaviour, healthy, localClients, smallPlan } from '../bench';
import { driveWith } from '../driver/driveWith';

const SERVERS: Servers = { command: ['ssh', 'server', 'run'], cpu: 'the server' };
const cpu = (seconds: object): string => `${JSON.stringify({ schema: 'fsxbench.cpu/1', seconds })}\n`;

type Servers = NonNullable<ClientConfig['arms'][string]['servers']>;

/** One measured write on one arm whose servers say their processor time. */
async function written(
  behaviour: Behaviour,
  servers: Servers | null = SERVERS,
  configuration?: StorageConfiguration,
  below?: Partial<WorkloadAction>,
): Promise<readonly Sample[]> {
  const whole = smallPlan();
  const wanted = whole.steps.find(({ phase, id }) => phase === 'measure' && id.includes('write'));
  const [task] = wanted?.tasks ?? [];
  if (wanted === undefined || task === undefined) throw new Error('the plan writes nothing');
  const action = { ...(task.action as WorkloadAction), serverCpu: true, ...below };
  const planned = whole.arms.map((arm) => (configuration === undefined ? arm : { ...arm, configuration }));
  const plan: Plan = {
    ...whole,
    arms: planned,
    steps: [{ ...wanted, ...(below && { phase: 'setup' }), tasks: [{ ...task, action }] }],
  };
  const clients = localClients('/mnt');
  const arms = Object.fromEntries(
    Object.entries(clients.config.arms).map(([name, arm]) => [name, servers ? { ...arm, servers } : arm]),
  );
  const own = { ...clients, config: { ...clients.config, arms } };
  return (await driveWith(behaviour, { plan, clients: own })).samples;
}

const spent = (samples: readonly Sample[]) => samples.find(({ metric }) => metric === 'server_cpu_seconds');

describe('processor time of the servers', () => {
  test.each([
    ['nothing', ''],
    ['another document', '{"schema":"fsxbench.command/1","wall_s":1}'],
    ['a document that was cut off', '{"schema":"fsxbench.cpu/1","seconds":{"a":1'],
    ['no parts', cpu({})],
    ['a part that is no number', cpu({ server: 'busy' })],
    ['a negative part', cpu({ server: -1 })],
  ])('%s is no reading', (_, text) => {
    expect(parseCpu(text)).toBeNull();
  });

  test('is what each process and thread spent; one that began in between counts whole, one that ended does not', () => {
    expect(spentBetween({ master: 1, gone: 7 }, { master: 1.25, worker: 0.5 })).toBe(0.75);
  });

  test('is a value of the write that it was read around', async () => {
    let reading = 0;
    const samples = await written((invocation) => {
      if (invocation.argv.at(-1) !== 'cpu') return healthy(invocation);
      reading += 1;
      return { output: cpu({ server: reading * 1.5 }) };
    });
    expect(spent(samples)).toMatchObject({ operation: 'write', value: 1.5, unit: 's', phase: 'measure' });
    expect(samples.find(({ metric }) => metric === 'throughput')?.value).toBe(500);
  });

  test('of several servers is the sum', async () => {
    let reading = 0;
    const behaviour: Behaviour = (invocation) => {
      if (invocation.argv.at(-1) !== 'cpu') return healthy(invocation);
      reading += 1;
      // 1 and 10, then 3 and 14.
      return { output: cpu({ server: [1, 10, 3, 14][reading - 1] ?? 0 }) };
    };
    expect(spent(await written(behaviour, { ...SERVERS, others: [['ssh', 'another', 'run']] }))?.value).toBe(6);
  });

  test.each<[string, Behaviour, Servers | null, string]>([
    [
      'servers that fail',
      (invocation) => (invocation.argv.at(-1) === 'cpu' ? { exitStatus: 255 } : healthy(invocation)),
      SERVERS,
      'the servers did not say their processor time: ssh: exit status 255',
    ],
    [
      'servers that say something else',
      healthy,
      SERVERS,
      'the servers’ program cpu did not print their processor time',
    ],
    ['a managed service', healthy, null, 'the servers of this storage cannot be worked on from a client'],
  ])('%s: the write has its rate, and the processor time a reason', async (_, behaviour, servers, reason) => {
    const samples = await written(behaviour, servers);
    expect(spent(samples)).toMatchObject({ value: null, reason: expect.stringContaining(reason) });
    expect(samples.find(({ metric }) => metric === 'throughput')?.value).toBe(500);
  });
});

describe('hardware that is to compress', () => {
  const offloading = {
    kind: 'lustre-zfs',
    instanceType: 'i7ie.48xlarge',
    compression: 'gzip-6',
    recordSizeKiB: 128,
    offload: 'qat',
  };
  /** Servers whose counter has these values, one reading after the other. */
  const counting =
    (...readings: number[]): Behaviour =>
    (invocation) => {
      const program = invocation.argv.at(-1);
      if (program === 'cpu') return { output: cpu({ server: 1 }) };
      if (program !== 'offloaded') return healthy(invocation);
      const requests = readings.shift();
      return requests === undefined
        ? { output: 'offloaded: ZFS has no table of QAT\n', exitStatus: 1 }
        : { output: `{"schema":"fsxbench.offloaded/1","requests":${requests}}\n` };
    };
  const figures = (samples: readonly Sample[]) =>
    samples.filter(({ metric }) => ['throughput', 'server_cpu_seconds', 'offloaded_requests'].includes(metric));

  test.each(['', '{"schema":"fsxbench.offloaded/1","requests":-1}', '{"schema":"fsxbench.cpu/1","requests":1}'])(
    '%j is no count',
    (text) => {
      expect(parseOffloaded(text)).toBeNull();
    },
  );

  test('a counter that moved stands beside the figures', async () => {
    const samples = figures(await written(counting(17, 4017), SERVERS, offloading));
    expect(samples.map(({ metric, value }) => [metric, value])).toEqual([
      ['throughput', 500],
      ['server_cpu_seconds', 0],
      ['offloaded_requests', 4000],
    ]);
  });

  test('each of several servers counts, and one that compressed nothing spoils the write', async () => {
    const two = { ...SERVERS, others: [['ssh', 'another', 'run']] };
    const both = figures(await written(counting(17, 5, 4017, 1005), two, offloading));
    expect(both.map(({ metric, value }) => [metric, value])).toEqual([
      ['throughput', 500],
      ['server_cpu_seconds', 0],
      ['offloaded_requests', 5000],
    ]);
    const [one] = figures(await written(counting(17, 5, 4017, 5), two, offloading));
    expect(one).toMatchObject({
      metric: 'throughput',
      value: null,
      reason: 'the hardware of server 2 compressed nothing: its counter stayed at 5',
    });
  });

  test.each<[string, Behaviour, Servers | null, string]>([
    ['stood still', counting(17, 17), SERVERS, 'the hardware compressed nothing: its counter stayed at 17'],
    ['went back', counting(17, 3), SERVERS, 'counter went back from 17 to 3, so the server was restarted'],
    ['is not there', counting(), SERVERS, 'what their hardware compressed: ssh: exit status 1 (offloaded: ZFS has no'],
    ['is gone after the write', counting(17), SERVERS, 'the servers did not say what their hardware compressed'],
    ['nobody can ask', counting(1, 2), null, 'the servers of this storage cannot be worked on from a client'],
  ])('a counter that %s leaves no figure of the write, and says why', async (_, behaviour, servers, reason) => {
    const samples = await written(behaviour, servers, offloading);
    expect(figures(samples)).toHaveLength(3);
    for (const { value, reason: said } of samples.filter(({ operation }) => operation === 'write'))
      expect([value, said]).toEqual([null, expect.stringContaining(reason)]);
  });

  test('is asked below Lustre, too, where the arm’s own data set compresses, and not on a disk', async () => {
    const rung = { schema: 'fsxbench.rung/1', rung: 'gzip6', operation: 'write', fio: '3.33', error: 0, bytes: 1e9 };
    const rest = { seconds: 2, latencySeconds: {}, gzipShare: null, logicalBytes: null, usedBytes: null };
    const still = (): Behaviour => {
      const counter = counting(17, 17);
      return (invocation) =>
        invocation.argv.includes('rung')
          ? { output: `${JSON.stringify({ ...rung, ...rest })}\n` }
          : counter(invocation);
    };
    const rateOf = async (name: string) => {
      const action = { tool: 'rung', command: ['{server}', 'rung', name, 'write', '1', '1'] };
      const samples = await written(still(), { ...SERVERS, fileSystem: 'gzip6' }, offloading, action);
      return samples.find(({ metric }) => metric === 'throughput')?.value;
    };
    expect([await rateOf('{fileSystem}'), await rateOf('raw')]).toEqual([null, 500]);
  });

  test('is asked on no arm whose processors compress', async () => {
    const samples = await written(counting(), SERVERS, { ...offloading, offload: 'none' } as StorageConfiguration);
    expect(figures(samples).map(({ metric, value }) => [metric, value])).toEqual([
      ['throughput', 500],
      ['server_cpu_seconds', 0],
    ]);
  });
});

describe('a command for the servers', () => {
  const action = (...command: string[]): WorkloadAction => workload('fio', { command });

  test('goes the way that the client knows', () => {
    expect(atServers(action('{server}', 'device', 'fio'), SERVERS).command).toEqual([
      ...['ssh', 'server', 'run'],
      ...['device', 'fio'],
    ]);
  });

  test('any other stays as it is', () => {
    expect(atServers(action('fio', '{server}'), undefined).command).toEqual(['fio', '{server}']);
  });

  test('has the name of the arm’s file system, or is refused where the servers have none', () => {
    const rung = action('{server}', 'rung', '{fileSystem}', 'write');
    expect(atServers(rung, { ...SERVERS, fileSystem: 'gzip6' }).command.slice(-3)).toEqual(['rung', 'gzip6', 'write']);
    expect(() => atServers(rung, SERVERS)).toThrow('client.json does not say what they call it');
  });

  test('is refused where there is no way', () => {
    expect(() => atServers(action('{server}', 'device'), undefined)).toThrow('client.json names no servers of the arm');
  });
});
