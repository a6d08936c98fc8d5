import { type DriverOptions, drive } from '../../../lib/run/driver/driver';
import type { RunStatus } from '../../../lib/schema/run';
import { RunFolder } from '../../../lib/store/folder';
import { type Behaviour, fakeExecute, localClients, memoryFolder, smallPlan } from '../bench';

type Asked = (path: string) => Promise<string | null>;
interface Given extends Partial<Omit<DriverOptions, 'folder' | 'abort' | 'answering' | 'storing'>> {
  readonly folder?: string;
  readonly mounts?: string;
  readonly abort?: AbortController;
  /** Why a mount point cannot be used, or a directory stores nothing. */
  readonly problem?: Asked;
  readonly storing?: Asked;
}
const nothing: Asked = async () => null;

/** Drives a small plan with programs of the given behaviour. */
export async function driveWith(
  behaviour: Behaviour,
  {
    folder = memoryFolder(),
    mounts = '/mnt',
    abort = new AbortController(),
    plan = smallPlan(),
    problem = nothing,
    storing = nothing,
    ...more
  }: Given = {},
) {
  const { execute, commands } = fakeExecute(behaviour);
  const statuses: RunStatus[] = [];
  const run = new RunFolder(folder);
  const status = await drive({
    run: 'test-run',
    plan,
    clients: localClients(mounts),
    folder: run,
    execute,
    abort: abort.signal,
    onChange: (changed) => void statuses.push(changed),
    dataPresent: () => false,
    answering: { problem },
    storing: { problem: storing },
    patience: { overdueSeconds: 0.05, pauseSeconds: 0.05 },
    ...more,
  });
  return { status, statuses, commands, samples: run.samples(), folder, plan };
}

export const isRemoval = ([program]: readonly string[]) => program?.endsWith('/bin/remove-below') === true;

export const throughputs = (samples: Awaited<ReturnType<typeof driveWith>>['samples'], operation: string) =>
  samples.filter((sample) => sample.metric === 'throughput' && sample.operation === operation);
