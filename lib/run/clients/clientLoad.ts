import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextOrNull } from '../../schema/document';
import { type ClientLoad, type Counter, type LoadReading, loadReadingSchema } from '../../schema/environment';
import type { ClientGroup } from '../../schema/plan';
import { CLOCKS } from '../driver/clock';
import type { Shell } from '../shell';
import { addressesOf, type Clients, onEachClient } from './launch';
import { failureOf } from './process';

const ANSWER_SECONDS = 30;
/** The most to keep of what a client printed instead of a reading. */
const MOST_OUTPUT = 2000;
/** Seconds for which a reading of other processes counts: for a task that begins then, and after one that ends then. */
const FRESH_SECONDS = 5;

/** Asks the clients before and after tasks how busy they are. A question takes half a second, so one serves all tasks that begin or end within some seconds. */
export class ClientLoads {
  /** Each client's last answer after watching, and when it came by the driver's steady clock, ms. */
  private readonly last = new Map<string, { readonly reading: LoadReading; readonly at: number }>();

  constructor(
    private readonly clients: Clients,
    private readonly steady: () => number = CLOCKS.steady,
  ) {}

  /** Does some work; returns its result, each client's load and which rebooted. One that does not answer, or has older scripts, has no load and fails no work. */
  async around<Result>(
    { group, mountPoint }: { readonly group: ClientGroup; readonly mountPoint: string },
    named: (suffix: string) => Shell,
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly load: readonly ClientLoad[]; readonly rebooted: readonly string[] }> {
    const { clients } = this;
    const program = join(clients.config.home, 'bin', 'client-load');
    if (!existsSync(program)) return { result: await work(), load: [], rebooted: [] };
    const launches = (...more: string[]) => onEachClient(clients, group, [program, mountPoint, ...more]);
    const known = addressesOf(clients, group);
    const addresses = launches().map((_, index) => known[index] ?? null);
    const answers: string[] = [];
    const ask = (time: string, watches: boolean): Promise<(LoadReading | null)[]> =>
      Promise.all(
        launches(...(watches ? [] : ['0'])).map(async (launch, index) => {
          // A file for each of hundreds of clients and three questions would bury what the tools printed: they become one.
          const shell = named(`load-${time}${launch.client === null ? '' : `.client${index}`}.new`);
          shell.discard();
          const failure = failureOf(await shell.launch(launch, ANSWER_SECONDS));
          const line = /^\{.*\}$/m.exec(shell.text)?.[0] ?? '';
          const reading = failure === null ? readTextOrNull(loadReadingSchema, line) : null;
          const said = reading ?? { reason: failure ?? 'no reading', output: shell.text.slice(0, MOST_OUTPUT) };
          const address = addresses[index] ?? null;
          answers.push(JSON.stringify({ client: address, time, ...said }));
          if (watches && reading) this.last.set(address ?? '', { reading, at: this.steady() });
          shell.discard();
          return reading;
        }),
      );
    const earlier = addresses.map((address) => this.freshOf(address));
    // The counters are read before a client watches: those of `before` and `after` have nothing but the task between them.
    const watched = earlier.includes(null) ? await ask('watched', true) : earlier;
    const names = addresses.map((address) => address ?? 'this computer');
    const before = await ask('before', false);
    const result = await work();
    const stale = addresses.some((address) => this.freshOf(address) === null);
    const after = await ask('after', stale);
    named('load').write('jsonl', answers.map((answer) => `${answer}\n`).join(''));
    // By its own two answers: of tasks that run side by side, each one is spoilt.
    const rebooted = names.filter((_, index) => hasRebooted(before[index], after[index]));
    return { result, load: loadsOf(addresses, { before, after, watched }), rebooted };
  }

  private freshOf(address: string | null): LoadReading | null {
    const known = this.last.get(address ?? '');
    return known !== undefined && this.steady() - known.at <= FRESH_SECONDS * 1000 ? known.reading : null;
  }
}

const hasRebooted = (before: LoadReading | null = null, after: LoadReading | null = null): boolean =>
  before?.bootId != null && after?.bootId != null && before.bootId !== after.bootId;

/** The load of each client that answered before and after; one that counts the same as an earlier one says so. */
function loadsOf(
  addresses: readonly (string | null)[],
  { before, after, watched }: Readonly<Record<'before' | 'after' | 'watched', readonly (LoadReading | null)[]>>,
): ClientLoad[] {
  const machines = new Map<string, string | null>();
  return addresses.flatMap((address, index) => {
    const [start, end] = [before[index], after[index]];
    if (!start || !end || start.bootId !== end.bootId) return [];
    const machine = machineOf(end);
    const sameAs = machine === null ? null : (machines.get(machine) ?? null);
    if (machine !== null && sameAs === null) machines.set(machine, address);
    const own = loadBetween(address, start, end, watched[index] ?? null);
    return [sameAs === null ? own : { ...own, sameAs }];
  });
}

/** Key of what a client counts: its machine, and the mount there, which two clients may share under two names; `null` if it does not say. */
const machineOf = ({ bootId, mount }: LoadReading): string | null =>
  bootId == null || mount == null ? null : `${bootId} ${mount}`;

/** Returns the load of a client between two readings. @param watched an earlier reading with the running processes that `before` lacks */
export function loadBetween(
  client: string | null,
  before: LoadReading,
  after: LoadReading,
  watched: LoadReading | null = null,
): ClientLoad {
  const seconds = Math.max(after.uptime - before.uptime, 0.01);
  const inAll = seconds * after.processors;
  const share = (end: number | null = null, start: number | null = null, of: number): number | null =>
    end === null || start === null ? null : Math.max(0, end - start) / of;
  const busy = Math.max(0, after.busySeconds - before.busySeconds) / inAll;
  const lasting = Object.entries(after.processSeconds).flatMap(([key, end]) => {
    // A new process was started by the task or next to it; one that was idle before is not in the first reading.
    const start = before.processSeconds[key];
    return start === undefined ? [] : [{ name: key.split(' ').slice(2).join(' '), share: (end - start) / inAll }];
  });
  const ofLasting = lasting.reduce((sum, one) => sum + one.share, 0);
  const kernel = Math.max(0, after.kernelSeconds - before.kernelSeconds) / inAll;
  const idle = [before, after, watched ?? after].reduce((a, b) =>
    (b.othersProcessors ?? 0) > (a.othersProcessors ?? 0) ? b : a,
  );
  const { device } = after;
  const ioWait = share(after.ioWaitSeconds, before.ioWaitSeconds, inAll);
  const hasStall = after.ioStallSeconds !== undefined && before.ioStallSeconds !== undefined;
  const service = after.serviceProcessors ?? watched?.serviceProcessors;
  return {
    client,
    seconds,
    processors: after.processors,
    busy,
    tool: Math.max(0, busy - ofLasting - kernel),
    lasting: ofLasting,
    others: Math.min(1, (idle.othersProcessors ?? 0) / idle.processors),
    service: service == null ? undefined : Math.min(1, service / after.processors),
    names: [...new Set(idle.others.map(({ name }) => name))],
    steal: share(after.stealSeconds, before.stealSeconds, inAll) ?? 0,
    loadAverage: after.loadAverage,
    cpuStall: share(after.cpuStallSeconds, before.cpuStallSeconds, seconds),
    memoryStall: share(after.memoryStallSeconds, before.memoryStallSeconds, seconds),
    device: device &&
      before.device && { read: device.read - before.device.read, written: device.written - before.device.written },
    ...(ioWait !== null && { ioWait }),
    ...(hasStall && { ioStall: share(after.ioStallSeconds, before.ioStallSeconds, seconds) }),
    ...countedBetween(before, after),
  };
}

/** Counts of a client between two readings; `null` where one of them has no counters, or they were reset meanwhile. */
function countedBetween(before: LoadReading, after: LoadReading): Pick<ClientLoad, 'counters' | 'countersReason'> {
  if (before.counters === undefined || after.counters === undefined) return {};
  if (before.counters === null || after.counters === null)
    return { counters: null, countersReason: before.countersReason ?? after.countersReason ?? 'unknown' };
  const starts = new Map(before.counters.map(({ name, value }) => [name, value]));
  const counters = after.counters.map(
    (one): Counter => ({ ...one, value: one.value - (starts.get(one.name) ?? Number.POSITIVE_INFINITY) }),
  );
  const reset = 'the counters of the client were reset meanwhile, or its file system was remounted';
  if (counters.some(({ value }) => value < 0)) return { counters: null, countersReason: reset };
  return { counters, countersReason: after.countersReason ?? undefined };
}
