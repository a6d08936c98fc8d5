import type { Execute } from '../../../lib/run/clients/process';
import { drive } from '../../../lib/run/driver/driver';
import type { RunStatus } from '../../../lib/schema/run';
import { RunFolder } from '../../../lib/store/folder';
import { type Behaviour, fakeExecute, localClients, memoryFolder, smallPlan } from '../bench';

/** Drives a small plan with programs of the given behaviour. */
export async function driveWith(
  behaviour: Behaviour,
  {
    folder = memoryFolder(),
    mounts = '/mnt',
    abort = new AbortController(),
    dataPresent = (): boolean => false,
    plan = smallPlan(),
    problem = async (_: string): Promise<string | null> => null,
    storing = async (_: string): Promise<string | null> => null,
    execute = undefined as Execute | undefined,
  } = {},
) {
  const { execute: fake, commands } = fakeExecute(behaviour);
  const statuses: RunStatus[] = [];
  const run = new RunFolder(folder);
  const status = await drive({
    run: 'test-run',
    plan,
    clients: localClients(mounts),
    folder: run,
    execute: execute ?? fake,
    abort: abort.signal,
    onChange: (changed) => void statuses.push(changed),
    dataPresent,
    answering: { problem },
    storing: { problem: storing },
    patience: { overdueSeconds: 0.05, pauseSeconds: 0.05 },
  });
  return { status, statuses, commands, samples: run.samples(), folder, plan };
}

export const isRemoval = ([program]: readonly string[]) => program?.endsWith('/bin/remove-below') === true;

export const throughputs = (samples: Awaited<ReturnType<typeof driveWith>>['samples'], operation: string) =>
  samples.filter((sample) => sample.metric === 'throughput' && sample.operation === operation);
