import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { inside, removeBelow } from '../../common/files';
import { checkedName } from '../../schema/names';
import type { Step, Task } from '../../schema/plan';
import type { Filesystem, Readout, Workplace } from '../../storage/filesystem';
import { filesystemNamed } from '../../storage/filesystems';
import type { Measured } from '../../workload/common/measured';
import type { ClientLoads } from '../clients/clientLoad';
import { DataDirectory } from '../clients/directory';
import { asRoot, type Clients, clientsIn, onEachClient } from '../clients/launch';
import type { Outcome } from '../clients/process';
import { DATA_ROOT } from '../dataLeft';
import { Shell, type ShellContext } from '../shell';
import type { TaskResult } from './outcome';
import type { Pause } from './space';

export interface TaskContext extends ShellContext {
  readonly run: string;
  readonly clients: Clients;
  readonly loads: ClientLoads;
  /** Rounds of files created so far by the task's unit. */
  readonly roundsMade: () => number;
  /** Names in a directory of the file system under test; empty if it does not exist. @default - reads it */
  readonly list?: (directory: string) => readonly string[];
  /** True if hardware of the arm's servers compresses: a write must then prove that it did. @default false */
  readonly offloads?: boolean;
  /** True if the next step of the task's arm reads its free space. @default false */
  readonly isSpaceReadNext?: boolean;
  /** Waits between two readings of a file system. @default - real time */
  readonly pause?: Pause;
}

type Mount = Clients['config']['arms'][string];

/** Exit status of `drop-caches` without permission: not a failure, but later reads are doubtful. */
const NOT_PERMITTED = 3;

/** The directory of a unit's data under an arm's mount point. @throws unless run and unit are names, and no link leads out of the file system */
export function dataDirectory(context: Pick<TaskContext, 'clients' | 'run'>, arm: string, unit: string): string {
  const path = `${DATA_ROOT}/${checkedName('run', context.run)}/${checkedName('unit', unit)}`;
  return inside(mountOf(context.clients, arm).mountPoint, path);
}

function mountOf({ config: { arms } }: Clients, arm: string): Mount {
  const mount = arms[arm];
  if (mount !== undefined) return mount;
  throw new Error(
    `arm '${arm}' is not mounted on ${hostname()}: client.json has ${Object.keys(arms).join(', ') || 'none'}`,
  );
}

const namesIn = (directory: string): readonly string[] => (existsSync(directory) ? readdirSync(directory) : []);

/** A task under way: its directory, the shell that runs its commands, and its result. */
export class ActiveTask {
  readonly mount: Mount;
  readonly filesystem: Filesystem;
  readonly shell: Shell;
  readonly place: Workplace;
  readonly data: DataDirectory;
  /** Its raw files in the run's folder, without extension. */
  readonly #raw: string;

  constructor(
    readonly context: TaskContext,
    readonly step: Step,
    readonly task: Task,
  ) {
    const { user, home } = context.clients.config;
    this.mount = mountOf(context.clients, task.arm);
    this.filesystem = filesystemNamed(this.mount.filesystem);
    this.#raw = freeRawBase(context.folder, step, task);
    this.shell = new Shell(context, step, task, this.#raw);
    const { mountPoint, spaceCommand } = this.mount;
    const below = (paths: readonly string[]): string[] => paths.map((path) => relative(mountPoint, path));
    this.place = {
      mountPoint,
      directory: dataDirectory(context, task.arm, step.unit),
      commands: this.shell,
      seconds: step.deadlineSeconds,
      owned: (path) => (user === null ? [] : [['chown', user, path]]),
      removal: (paths) => removeBelow(home, mountPoint, below(paths)),
      spaceCommand,
    };
    this.data = new DataDirectory(this.filesystem, this.place, context.list ?? namesIn);
  }

  done(measured: readonly Measured[], failure: string | null = null, plannedRanks: number | null = null): TaskResult {
    const { clients } = this.context;
    const raw = this.shell.count > 0 ? this.#raw : null;
    return { measured, failure, raw, plannedRanks, clients: clientsIn(clients, this.task.group) };
  }

  /** The result of a reading: a missing value is a failure. Figures of a failed command are discarded, even if it printed some. */
  fromReading({ measured, failure }: Readout): TaskResult {
    const reason = failure ?? measured.find(({ value }) => value === null)?.reason ?? null;
    if (reason === null) return this.done(measured);
    return this.done(
      measured.map((each) =>
        failure === null && each.value !== null ? each : { ...each, value: null, reason: each.reason ?? reason },
      ),
      reason,
    );
  }

  /** Drops the caches of the task's clients; refused where the user may not. */
  async dropCaches(shell: Shell = this.shell): Promise<{ outcomes: Outcome[]; refused: boolean }> {
    const { clients } = this.context;
    const command = asRoot(clients, [join(clients.config.home, 'bin', 'drop-caches')]);
    const launches = onEachClient(clients, this.task.group, command);
    const outcomes = await Promise.all(launches.map((launch) => shell.launch(launch, this.step.deadlineSeconds)));
    return { outcomes, refused: outcomes.some(({ exitStatus }) => exitStatus === NOT_PERMITTED) };
  }
}

/** `raw/<arm>/<phase>/<repeat>-<rest>`, numbered after an earlier attempt: raw output is never modified, and two runs in a file would parse as one. */
function freeRawBase(folder: string, step: Step, task: Task): string {
  const rest = step.id.replace(new RegExp(`^r${step.repeat}-`), '');
  const first = `raw/${task.arm}/${step.phase.replace(' ', '-')}/${step.repeat}-${rest}`;
  const taken = (base: string): boolean =>
    ['', '.client0', '.round1', '.round1.client0'].some((part) => existsSync(join(folder, `${base}${part}.out`)));
  let base = first;
  for (let attempt = 2; taken(base); attempt++) base = `${first}.attempt${attempt}`;
  return base;
}
