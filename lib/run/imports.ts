import { withRetry } from '../common/aws/connection';
import { grouped } from '../common/format/units';
import type { Deployment } from '../schema/deployment';
import type { DeployedArm } from '../schema/run';
import { type ImportTask, importTasksOf } from '../storage/common/fsx';
import { storageOf } from '../storage/lookup';

/** Imports of one file system: those that its configuration asks for, and those that its service knows. */
interface Imports {
  readonly expected: number;
  readonly tasks: () => Promise<readonly ImportTask[]>;
}

interface WaitOptions {
  readonly say: (line: string) => void;
  readonly pause?: (seconds: number) => Promise<void>;
  readonly now?: () => Date;
  /** Imports of an arm. @default - its service is asked */
  readonly importsOf?: (arm: Deployment['arms'][number]) => Imports | null;
}

const EVERY_SECONDS = 15;

/** Hours for which a service may take to begin an import; FSx forgets its tasks some days after they ended. */
const BEGINS_WITHIN_HOURS = 1;

const pauseForReal = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));

/** Waits until all imports have ended, since a run on half of the names would be silently wrong. @throws Error with the next step if one failed */
export async function awaitImports(
  arms: readonly DeployedArm[],
  { arms: deployed }: Pick<Deployment, 'arms'>,
  options: WaitOptions,
): Promise<readonly DeployedArm[]> {
  const { importsOf = importsIn } = options;
  return Promise.all(
    arms.map(async (arm) => {
      const own = deployed.find(({ name }) => name === arm.name);
      const imports = own === undefined ? null : importsOf(own);
      return imports === null ? arm : { ...arm, importedFiles: await filesOf(arm, imports, options) };
    }),
  );
}

function importsIn({ configuration, fileSystemId }: Deployment['arms'][number]): Imports | null {
  const expected = storageOf(configuration).account.imports?.(configuration) ?? 0;
  return expected === 0 ? null : { expected, tasks: () => importTasksOf(fileSystemId) };
}

async function filesOf(
  { name, describe }: DeployedArm,
  { expected, tasks }: Imports,
  { say, pause = pauseForReal, now = () => new Date() }: WaitOptions,
): Promise<number | null> {
  const tasksNow = withRetry(tasks, { everySeconds: EVERY_SECONDS, onAway: say });
  const created = new Date(`${describe?.CreationTime ?? ''}`).getTime();
  let said = '';
  for (;;) {
    const found = await tasksNow();
    for (const task of found) refuseFailed(name, task);
    const files = found.reduce((sum, { succeeded }) => sum + succeeded, 0);
    const ended = found.filter(({ lifecycle }) => lifecycle === 'SUCCEEDED').length;
    if (ended >= expected && ended === found.length) return files;
    const hours = (now().getTime() - created) / 3_600_000;
    if (found.length === 0 && hours > BEGINS_WITHIN_HOURS) return null;
    const state = `waiting for the import from S3: ${name} has ${grouped(files)} files`;
    if (state !== said) say(state);
    said = state;
    await pause(EVERY_SECONDS);
  }
}

function refuseFailed(arm: string, { id, lifecycle, succeeded, failed, failure }: ImportTask): void {
  if (!['FAILED', 'CANCELING', 'CANCELED'].includes(lifecycle) && failed === 0) return;
  const why = failure === undefined ? '' : `: ${failure.replace(/\.$/, '')}`;
  throw new Error(
    `the import from S3 of arm ${arm} is ${lifecycle} (${id}), with ${grouped(succeeded)} files imported and ${grouped(failed)} failed${why}. ` +
      `See aws fsx describe-data-repository-tasks --task-ids ${id}; then destroy the stack and deploy it again`,
  );
}
