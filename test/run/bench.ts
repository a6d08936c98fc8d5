import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compressionBench } from '../../lib/benchmark/compression';
import { makePlan, type PlanRequest } from '../../lib/plan/plan';
import type { Clients } from '../../lib/run/clients/launch';
import type { Execute, Invocation, Outcome } from '../../lib/run/clients/process';
import type { Probe } from '../../lib/run/clients/reach';
import type { ClientConfig } from '../../lib/schema/client';
import type { Plan } from '../../lib/schema/plan';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is gone after the test file. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'fsxbench-test-'));
  folders.push(folder);
  return folder;
}

const MEMORY = '/dev/shm';

/** The same in memory, if possible, for fake runs: a driver flushes each value, and on a disk that is most of their time. */
export function memoryFolder(): string {
  return temporaryFolder(existsSync(MEMORY) ? MEMORY : undefined);
}

/** A small plan on one client: two repeats of two targets, all by fio. */
export function smallPlan(change: Partial<PlanRequest> = {}): Plan {
  return makePlan({
    benchmark: compressionBench,
    plan: 'paired',
    scale: 'lab',
    arms: [
      { name: 'none', description: 'none' },
      { name: 'lz4', description: 'lz4' },
    ],
    fleet: { clients: 1, instanceType: null, ranksPerClient: 2 },
    set: ['tool=fio', 'compressibilities=1,2.6', 'repeats=2', 'warmUpSeconds=0'],
    hourlyUsd: 0,
    ...change,
  });
}

/** One computer that has both arms as plain directories. */
export function localClients(mounts: string): Clients {
  const arm = (name: string): ClientConfig['arms'][string] => ({
    mountPoint: join(mounts, name),
    filesystem: 'other',
    actually: 'a directory',
  });
  const config: ClientConfig = {
    schema: 'fsxbench.client/1',
    launch: 'local',
    user: null,
    home: '/opt/fsxbench',
    networkCidr: null,
    arms: { none: arm('none'), lz4: arm('lz4') },
    tools: { fio: '3.33' },
  };
  return { config, addresses: [], groups: 2 };
}

/** Clients that reach one another by ssh, with one arm on Lustre. */
export function lustreClients(count: number): Clients {
  const config: ClientConfig = {
    schema: 'fsxbench.client/1',
    launch: 'ssh',
    user: 'fsxbench',
    home: '/opt/fsxbench',
    networkCidr: '10.0.0.0/16',
    arms: { slow: { mountPoint: '/fsx/slow', filesystem: 'lustre', actually: 'Lustre' } },
    tools: { ior: '3.3.0', mdtest: '3.3.0', openmpi: '4.1.8' },
  };
  const addresses = Array.from({ length: count }, (_, index) => `10.0.${Math.floor(index / 250)}.${(index % 250) + 4}`);
  return { config, addresses, groups: 1 };
}

/** fio's JSON as far as the parser needs it, for a phase that moved these bytes in these milliseconds. */
export function fioOutput(operation: 'read' | 'write', bytes: number, runtimeMs: number): string {
  const side = (moved: number): object => ({
    io_bytes: moved,
    bw_bytes: Math.round((moved / runtimeMs) * 1000),
    iops: moved / 2 ** 20 / (runtimeMs / 1000),
    runtime: moved > 0 ? runtimeMs : 0,
    total_ios: moved / 2 ** 20,
  });
  const job = {
    jobname: 'data',
    error: 0,
    'job options': { rw: operation, numjobs: '2' },
    read: side(operation === 'read' ? bytes : 0),
    write: side(operation === 'write' ? bytes : 0),
  };
  return `${JSON.stringify({ 'fio version': 'fio-3.33', 'global options': { rw: operation }, jobs: [job] }, null, 2)}\n`;
}

/** Says of each mount that it answers, as it would, without a process that asks before each task. */
export const allAnswer: Probe = { problem: async () => null };

/** Answer of a fake machine to a command. */
export type Behaviour = (invocation: Invocation) => { output?: string; exitStatus?: number; signal?: NodeJS.Signals };

/** Executes nothing: records the commands and gives the chosen answers. */
export function fakeExecute(behaviour: Behaviour): { execute: Execute; commands: string[][] } {
  const commands: string[][] = [];
  const execute: Execute = async (invocation): Promise<Outcome> => {
    commands.push([...invocation.argv]);
    const startedAt = new Date();
    const { output = '', exitStatus = 0, signal = null } = behaviour(invocation);
    writeFileSync(invocation.outputFile, output, { flag: 'a' });
    return {
      exitStatus: signal === null ? exitStatus : null,
      signal,
      timedOut: false,
      abandoned: false,
      startError: null,
      startedAt,
      endedAt: new Date(),
    };
  };
  return { execute, commands };
}

/** A machine on which everything works: 1 GB in 2 s written, in 1 s read; data that shrink to a half. */
export const healthy: Behaviour = ({ argv }) => {
  if (argv[0] === 'fio') {
    const operation = argv.includes('--rw=write') ? 'write' : 'read';
    return { output: fioOutput(operation, 1e9, operation === 'write' ? 2000 : 1000) };
  }
  if (argv[0] === 'find' && argv.includes('du'))
    return { output: argv.includes('--apparent-size') ? '1000000\t/a\n1000000\t/b\n' : '500000\t/a\n500000\t/b\n' };
  if (argv[0] === 'df') return { output: '        Size       Used      Avail\n 10000000000 1000000000 9000000000\n' };
  return {};
};
