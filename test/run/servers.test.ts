import { drive } from '../../lib/run/driver';
import { atServers, parseCpu, spentBetween } from '../../lib/run/servers';
import type { Plan, WorkloadAction } from '../../lib/schema/plan';
import type { Sample } from '../../lib/schema/sample';
import { RunFolder } from '../../lib/store/folder';
import { type Behaviour, fakeExecute, healthy, localClients, smallPlan, temporaryFolder } from './bench';

const SERVERS = { command: ['ssh', 'server', 'run'], cpu: 'the server' };
const cpu = (seconds: object): string => `${JSON.stringify({ schema: 'fsxbench.cpu/1', seconds })}\n`;

/** One measured write on one arm whose servers say their processor time. */
async function written(behaviour: Behaviour, servers: typeof SERVERS | null = SERVERS): Promise<readonly Sample[]> {
  const whole = smallPlan();
  const wanted = whole.steps.find(({ phase, id }) => phase === 'measure' && id.includes('write'));
  const [task] = wanted?.tasks ?? [];
  if (wanted === undefined || task === undefined) throw new Error('the plan writes nothing');
  const action = { ...(task.action as WorkloadAction), serverCpu: true };
  const plan: Plan = { ...whole, steps: [{ ...wanted, tasks: [{ ...task, action }] }] };
  const clients = localClients('/mnt');
  const arms = Object.fromEntries(
    Object.entries(clients.config.arms).map(([name, arm]) => [name, servers ? { ...arm, servers } : arm]),
  );
  const folder = new RunFolder(temporaryFolder());
  await drive({
    ...{ run: 'test-run', plan, folder, execute: fakeExecute(behaviour).execute },
    ...{ clients: { ...clients, config: { ...clients.config, arms } }, abort: new AbortController().signal },
    ...{ onChange: () => {}, dataPresent: () => false, answering: { problem: async () => null } },
  });
  return folder.samples();
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

  test.each<[string, Behaviour, typeof SERVERS | null, string]>([
    [
      'servers that fail',
      (invocation) => (invocation.argv.at(-1) === 'cpu' ? { exitStatus: 255 } : healthy(invocation)),
      SERVERS,
      'the servers did not say their processor time: exit status 255',
    ],
    ['servers that say something else', healthy, SERVERS, 'the servers’ program cpu printed no processor time'],
    ['a managed service', healthy, null, 'the servers of this storage cannot be worked on from a client'],
  ])('%s: the write has its rate, and the processor time a reason', async (_, behaviour, servers, reason) => {
    const samples = await written(behaviour, servers);
    expect(spent(samples)).toMatchObject({ value: null, reason: expect.stringContaining(reason) });
    expect(samples.find(({ metric }) => metric === 'throughput')?.value).toBe(500);
  });
});

describe('a command for the servers', () => {
  const action = (...command: string[]): WorkloadAction => ({
    ...{ kind: 'workload', tool: 'fio', operation: 'write', command, ranksPerClient: 1, pattern: 'fio-30' },
  });

  test('goes the way that the client knows', () => {
    expect(atServers(action('{server}', 'device', 'fio'), SERVERS).command).toEqual([
      ...['ssh', 'server', 'run'],
      ...['device', 'fio'],
    ]);
  });

  test('any other stays as it is', () => {
    expect(atServers(action('fio', '{server}'), undefined).command).toEqual(['fio', '{server}']);
  });

  test('is refused where there is no way', () => {
    expect(() => atServers(action('{server}', 'device'), undefined)).toThrow('client.json names no servers of the arm');
  });
});
