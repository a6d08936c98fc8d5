import { basename, dirname, resolve } from 'node:path';
import { readEnd } from '../../common/files';
import { RUN_MARK } from '../../fleet/launcher';
import { lockOutDrivers } from '../driver/lock';
import { type AtClients, onEachClient } from './launch';
import { type Execute, failureOf } from './process';

const SECONDS = 60;

/** Marks every process with the run's folder: what outlives a driver that was killed is found by it. */
export const withRunMark =
  (folder: string, execute: Execute): Execute =>
  (invocation, abort) =>
    execute({ ...invocation, environment: { ...invocation.environment, [RUN_MARK]: folder } }, abort);

interface Leftovers {
  /** Processes. */
  readonly ended: readonly string[];
  /** Runs that a driver holds, whose processes were left alone. */
  readonly running: readonly string[];
  readonly problem: string | null;
}

/** Ends leftovers of this run, and of runs next to it that no driver holds. @param options whose `execute` marks no process, or they end one another */
export async function endLeftovers(options: AtClients): Promise<Leftovers> {
  const { path } = options.folder;
  const own = await endEverywhere(options, path);
  const ended = [...own.ended];
  const running: string[] = [];
  const runs = runsOf(path);
  const others = [...new Set(own.others)].filter((other) => runs !== null && runsOf(other) === runs).sort();
  for (const other of own.problem === null ? others : []) {
    const letIn = await lockOutDrivers(other);
    if (letIn === 'unknown') return { ended, running, problem: unknownDriver(other) };
    if (letIn === 'lives') running.push(basename(other));
    else {
      const found = await endEverywhere(options, other).finally(letIn);
      ended.push(...found.ended.map((process) => `${process} of ${basename(other)}`));
      if (found.problem !== null) return { ended, running, problem: found.problem };
    }
  }
  return { ended, running, problem: own.problem };
}

/** Folder of all runs among which one lies: `runs/<run>` on a fleet, `runs/<benchmark>/<run>` on one computer; `null` for one that lies elsewhere. */
function runsOf(folder: string): string | null {
  const parent = dirname(resolve(folder));
  return [parent, dirname(parent)].find((above) => basename(above) === 'runs') ?? null;
}

const unknownDriver = (folder: string): string =>
  `processes of the run ${basename(folder)} are still running on the clients, and it is not known here whether its driver is alive, since ${folder} belongs to another computer: wait until they end, or end them, then continue with --resume`;

/** Ends the processes of one run, here first, since that ends an MPI job on all clients, then on each client. */
async function endEverywhere(options: AtClients, run: string) {
  const { clients } = options;
  const command = [`${clients.config.home}/bin/end-leftovers`, run];
  const here = await endOn(options, 'here', command);
  if (here.problem !== null || clients.addresses.length === 0) return here;
  const { mark: _, ...unmarked } = clients;
  const launches = onEachClient(unmarked, 'all', command);
  const there = await Promise.all(
    clients.addresses.map((address, index) => endOn(options, address, launches[index]?.argv ?? [])),
  );
  const all = [here, ...there];
  return {
    ended: all.flatMap(({ ended }) => ended),
    others: all.flatMap(({ others }) => others),
    problem: all.find(({ problem }) => problem !== null)?.problem ?? null,
  };
}

async function endOn({ folder, execute, abort }: AtClients, where: string, argv: readonly string[]) {
  const outputFile = folder.write(`environment/${where}.leftovers.out`, '');
  const failure = failureOf(await execute({ argv, outputFile, timeoutSeconds: SECONDS }, abort));
  const lines = readEnd(outputFile).split('\n');
  const ended = lines.flatMap((line) => {
    const [, pid, name] = /^(\d+) (.+)$/.exec(line) ?? [];
    return pid === undefined ? [] : [`${name} (${pid}, ${where})`];
  });
  const others = lines.flatMap((line) => /^other (.+)$/.exec(line)?.[1] ?? []);
  const survivor = lines.flatMap((line) => /^error: (.*)$/.exec(line)?.[1] ?? [])[0];
  const problem = `processes of an earlier session could not be ended (${where}): ${survivor ?? failure}; end them, then continue with --resume`;
  return { ended, others, problem: failure === null ? null : problem };
}
