import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextOrNull } from '../schema/document';
import { type ClientLoad, type LoadReading, loadReadingSchema } from '../schema/load';
import type { ClientGroup } from '../schema/plan';
import { addressesOf, type Clients, onEachClient } from './launch';
import { failureOf } from './process';
import type { Shell } from './shell';

/** Longest time that a client may take to answer. */
const ANSWER_SECONDS = 30;

/**
 * Asks every client of a group before and after some work how busy it is, and says what came of it. It never fails the work: a client that does not
 * answer has no load. Clients whose scripts are older than this release are not asked.
 */
export async function withClientLoad<Result>(
  clients: Clients,
  group: ClientGroup,
  mountPoint: string,
  named: (suffix: string) => Shell,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly load: readonly ClientLoad[] }> {
  const program = join(clients.config.home, 'bin', 'client-load');
  if (!existsSync(program)) return { result: await work(), load: [] };
  const launches = onEachClient(clients, group, [program, mountPoint]);
  const addresses = addressesOf(clients, group);
  const ask = (time: string): Promise<(LoadReading | null)[]> =>
    Promise.all(
      launches.map(async (launch, index) => {
        const shell = named(`load-${time}${launch.client === null ? '' : `.client${index}`}`);
        if (failureOf(await shell.launch(launch, ANSWER_SECONDS)) !== null) return null;
        return readTextOrNull(loadReadingSchema, /^\{.*\}$/m.exec(shell.text)?.[0] ?? '');
      }),
    );
  const before = await ask('before');
  const result = await work();
  const after = await ask('after');
  const load = before.flatMap((one, index) => {
    const other = after[index];
    return one && other ? [loadBetween(addresses[index] ?? null, one, other)] : [];
  });
  return { result, load };
}

/** What a client did between two readings. */
export function loadBetween(client: string | null, before: LoadReading, after: LoadReading): ClientLoad {
  const seconds = Math.max(after.uptime - before.uptime, 0.01);
  const inAll = seconds * after.processors;
  const share = (end: number | null, start: number | null, of: number): number | null =>
    end === null || start === null ? null : Math.max(0, end - start) / of;
  const busy = Math.max(0, after.busySeconds - before.busySeconds) / inAll;
  const lasting = Object.entries(after.processSeconds).flatMap(([key, end]) => {
    // A process that is new was started by the task or beside it; one that had not worked before is not in the first reading.
    const start = before.processSeconds[key];
    return start === undefined ? [] : [{ name: key.split(' ').slice(2).join(' '), share: (end - start) / inAll }];
  });
  const ofLasting = lasting.reduce((sum, one) => sum + one.share, 0);
  const kernel = Math.max(0, after.kernelSeconds - before.kernelSeconds) / inAll;
  const idle = [before, after].reduce((a, b) => (b.othersProcessors > a.othersProcessors ? b : a));
  const { device } = after;
  return {
    client,
    seconds,
    processors: after.processors,
    busy,
    tool: Math.max(0, busy - ofLasting - kernel),
    lasting: ofLasting,
    others: Math.min(1, idle.othersProcessors / idle.processors),
    names: [...new Set(idle.others.map(({ name }) => name))],
    steal: share(after.stealSeconds, before.stealSeconds, inAll) ?? 0,
    loadAverage: after.loadAverage,
    cpuStall: share(after.cpuStallSeconds, before.cpuStallSeconds, seconds),
    memoryStall: share(after.memoryStallSeconds, before.memoryStallSeconds, seconds),
    device:
      device === null || before.device === null
        ? null
        : { read: device.read - before.device.read, written: device.written - before.device.written },
  };
}
