import { commandLine } from '../../../lib/common/format/text';
import { type Clients, launchWorkload } from '../../../lib/run/clients/launch';
import type { Action } from '../../../lib/schema/plan';
import { lustreClients } from '../bench';

const mdtest: Extract<Action, { kind: 'workload' }> = {
  kind: 'workload',
  tool: 'mdtest',
  operation: 'stat',
  command: ['mdtest', '-F', '-v', '-T', '-u', '-n', '10', '-d', '{dirs}'],
  ranksPerClient: 4,
  pattern: 'files-0',
};

describe('how mdtest is started', () => {
  test('over 200 clients: 800 ranks, one after the other on the next client, as many daemons at once as there are clients', () => {
    const { launches, ranks } = launchWorkload(lustreClients(200), 'all', mdtest, '/fsx/slow/d', '/run/hosts');
    const line = commandLine(launches[0]?.argv ?? []);
    expect(ranks).toBe(800);
    expect(line).toContain('mpirun --hostfile /run/hosts -np 800 --map-by node --wdir /fsx/slow/d --oversubscribe');
    expect(line).toContain('--mca btl_tcp_if_include 10.0.0.0/16');
    expect(line).toContain('--mca plm_rsh_num_concurrent 200');
    expect(line).toMatch(/mdtest -F -v -T -u -n 10 -d \.\/round1$/);
  });

  test('with no option of Open MPI 4 where there is version 5, or where its default is enough', () => {
    const five: Clients = {
      ...lustreClients(200),
      config: { ...lustreClients(200).config, tools: { openmpi: '5.0.8' } },
    };
    for (const clients of [five, lustreClients(128)]) {
      const { launches } = launchWorkload(clients, 'all', mdtest, '/d', '/h');
      expect(commandLine(launches[0]?.argv ?? [])).not.toContain('num_concurrent');
      const again = launchWorkload(five, 'all', mdtest, '/d', '/h', { round: 1, targets: [], shift: 1 });
      expect(commandLine(again.launches[0]?.argv ?? [])).toContain('--map-by node');
    }
  });

  test('on the directories of all metadata targets, in paths that mdtest has room for', () => {
    const targets = Array.from({ length: 16 }, (_, index) => `mdt${index}`);
    const round = { round: 12, targets, shift: 0 };
    const { launches } = launchWorkload(lustreClients(4), 'all', mdtest, `/fsx/${'x'.repeat(200)}`, '/h', round);
    const dirs =
      commandLine(launches[0]?.argv ?? [])
        .split(' ')
        .at(-1) ?? '';
    expect(dirs.split('@')).toEqual(targets.map((target) => `${target}/round12`));
    expect(dirs.length).toBeLessThan(1024);
  });

  test('moved on by a client, so that no rank looks at what its own client made', () => {
    // Where each rank runs: by node in the order of the host file, or in the very sequence of its lines.
    const places = (shift: number): string[] => {
      const clients = lustreClients(3);
      const { launches, hostFileContent } = launchWorkload(clients, 'all', mdtest, '/d', '/h', {
        round: 1,
        targets: [],
        shift,
      });
      const hosts = (hostFileContent ?? '').trim().split('\n');
      const line = commandLine(launches[0]?.argv ?? []);
      if (line.includes('--map-by seq')) return hosts;
      expect(line).toContain('--map-by node');
      expect(hosts).toEqual(clients.addresses.map((address) => `${address} slots=4`));
      return Array.from({ length: 12 }, (_, rank) => clients.addresses[rank % 3] as string);
    };
    for (const shift of [1, 2, 3, 4, 30]) {
      expect(places(shift)).toHaveLength(12);
      expect(places(shift).some((host, rank) => host === places(0)[rank])).toBe(false);
      expect(new Set(places(shift).slice(0, 3)).size).toBe(3);
    }
    expect(places(1)).not.toEqual(places(2));
  });
});
