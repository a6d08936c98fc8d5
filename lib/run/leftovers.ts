import { readFileSync } from 'node:fs';
import { RUN_MARK } from '../fleet/launcher';
import type { RunFolder } from '../store/folder';
import { type Clients, onEachClient } from './launch';
import { type Execute, failureOf } from './process';

/** Longer than end-leftovers takes where a process survives even SIGKILL. */
const SECONDS = 60;

/** Marks every process with the run's folder: what outlives a driver that was killed is found by it. */
export const marked =
  (folder: string, execute: Execute): Execute =>
  (invocation, abort) =>
    execute({ ...invocation, environment: { ...invocation.environment, [RUN_MARK]: folder } }, abort);

interface LeftoverOptions {
  readonly clients: Clients;
  readonly folder: RunFolder;
  /** Its processes are not marked, or they would end one another. */
  readonly execute: Execute;
  readonly abort: AbortSignal;
}

/**
 * Ends what an earlier driver of this run left behind, here first, since that ends an MPI job on all clients, then on each client.
 *
 * @returns what was ended, and why nothing can be measured, or `null`
 */
export async function endLeftovers(
  options: LeftoverOptions,
): Promise<{ readonly ended: readonly string[]; readonly problem: string | null }> {
  const { clients, folder } = options;
  const command = [`${clients.config.home}/bin/end-leftovers`, folder.path];
  const here = await endOn(options, 'here', command);
  if (here.problem !== null || clients.addresses.length === 0) return here;
  const { mark: _, ...unmarked } = clients;
  const launches = onEachClient(unmarked, 'all', command);
  const there = await Promise.all(
    clients.addresses.map((address, index) => endOn(options, address, launches[index]?.argv ?? [])),
  );
  return {
    ended: [here, ...there].flatMap(({ ended }) => ended),
    problem: there.find(({ problem }) => problem !== null)?.problem ?? null,
  };
}

async function endOn({ folder, execute, abort }: LeftoverOptions, where: string, argv: readonly string[]) {
  const outputFile = folder.write(`environment/${where}.leftovers.out`, '');
  const failure = failureOf(await execute({ argv, outputFile, timeoutSeconds: SECONDS }, abort));
  const lines = readFileSync(outputFile, 'utf8').split('\n');
  const ended = lines.flatMap((line) => {
    const [, pid, name] = /^(\d+) (.+)$/.exec(line) ?? [];
    return pid === undefined ? [] : [`${name} (${pid}, ${where})`];
  });
  const survivor = lines.find((line) => line.startsWith('error: '));
  const problem =
    failure === null
      ? null
      : `processes of an earlier session could not be ended (${where}): ${survivor?.slice('error: '.length) ?? failure}; end them, then continue with --resume`;
  return { ended, problem };
}
