import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { firstOf } from '../../kit/format/strings';
import { inside } from '../../kit/inside';
import { removeBelow } from '../../kit/removeBelow';
import { checkedName } from '../../schema/names';
import type { Step, Task, WorkloadAction } from '../../schema/plan';
import { type Filesystem, NO_CAPACITY, type Readout, type Settling, type Workplace } from '../../storage/filesystem';
import { filesystemNamed } from '../../storage/filesystems';
import { capacityOf } from '../../storage/kit/space';
import { operationOf } from '../../workload/lookup';
import type { ClientLoads } from '../clients/clientLoad';
import { DataDirectory } from '../clients/directory';
import { asRoot, type Clients, clientsIn, launchWorkload, onEachClient } from '../clients/launch';
import type { Outcome } from '../clients/process';
import { atServers, isBelowArm, withOffload, withServerCpu } from '../clients/servers';
import { DATA_ROOT } from '../dataLeft';
import { Shell, type ShellContext } from '../shell';
import { firstFailure, type Measured } from './measure';
import { failedBy, spanOf, type TaskResult, withoutValues } from './outcome';
import { mainMeasure, readWorkload } from './readWorkload';
import { type RoundResult, runRounds } from './rounds';
import { type Pause, type Reading, type Settled, settle } from './settle';

/** Context of a task. */
export interface TaskContext extends ShellContext {
  readonly run: string;
  readonly clients: Clients;
  /** Meter of these clients' load. */
  readonly loads: ClientLoads;
  /** Rounds of files created so far by the task's unit. */
  readonly roundsMade: () => number;
  /** Names in a directory of the file system under test; empty if it does not exist. @default - reads it */
  readonly list?: (directory: string) => readonly string[];
  /** True where hardware of the arm's servers compresses, so that a write must prove that it did. @default false */
  readonly offloads?: boolean;
  /** Makes the task's change of the file system. @default - not a change */
  readonly change?: () => Promise<void>;
  /** Waits between two readings of a file system. @default - real time */
  readonly pause?: Pause;
}

/** Exit status of `drop-caches` without permission: not a failure, but later reads are doubtful. */
const NOT_PERMITTED = 3;

/**
 * The directory of a unit's data under an arm's mount point, which is created, moved and removed.
 *
 * @throws unless run and unit are names, and no link leads out of the file system
 */
export function dataDirectory(context: Pick<TaskContext, 'clients' | 'run'>, arm: string, unit: string): string {
  const path = `${DATA_ROOT}/${checkedName('run', context.run)}/${checkedName('unit', unit)}`;
  return inside(mountOf(context.clients, arm).mountPoint, path);
}

function mountOf(clients: Clients, arm: string): Clients['config']['arms'][string] {
  const mount = clients.config.arms[arm];
  if (!mount) {
    throw new Error(
      `arm '${arm}' is not mounted on ${hostname()}: client.json has ${Object.keys(clients.config.arms).join(', ') || 'none'}`,
    );
  }
  return mount;
}

/** Runs one task. Never throws for a machine's failure, which becomes a result with its reason. */
export async function perform(context: TaskContext, step: Step, task: Task): Promise<TaskResult> {
  const { action } = task;
  const directory = dataDirectory(context, task.arm, step.unit);
  const base = freeRawBase(context.folder, step, task);
  const shell = new Shell(context, step, task, base);
  const mount = mountOf(context.clients, task.arm);
  const filesystem = filesystemNamed(mount.filesystem);
  const done = (
    measured: readonly Measured[],
    failure: string | null,
    plannedRanks: number | null = null,
  ): TaskResult => ({
    measured,
    failure,
    raw: shell.count > 0 ? base : null,
    plannedRanks,
    clients: clientsIn(context.clients, task.group),
  });
  const seconds = step.deadlineSeconds;
  const { user, home } = context.clients.config;
  const owned = (path: string): string[][] => (user === null ? [] : [['chown', user, path]]);
  const { mountPoint, spaceCommand } = mount;
  const removal = (paths: readonly string[]): string[] =>
    removeBelow(
      home,
      mountPoint,
      paths.map((path) => relative(mountPoint, path)),
    );
  const place: Workplace = { mountPoint, directory, commands: shell, seconds, owned, removal, spaceCommand };
  const data = new DataDirectory({ filesystem, place, list: context.list ?? namesIn });

  switch (action.kind) {
    case 'workload':
      return runWorkload(context, step, task, atServers(action, mount.servers), data, shell, done);
    case 'make-directory': {
      const { measured, failure } = await data.make(action);
      return done(measured, failure);
    }
    case 'verify-spread':
      return withValues(done, await data.verifySpread());
    case 'drop-caches': {
      const { outcomes, refused } = await dropCaches(context, task, shell, seconds);
      const dropped: Measured = { operation: 'drop_caches', metric: 'done', value: refused ? 0 : 1, unit: '1' };
      return done([dropped], refused ? null : firstFailure(outcomes));
    }
    case 'measure-ratio':
      return withValues(done, await data.space());
    case 'measure-capacity': {
      const { capacity, settling } = filesystem;
      // There will be none in the next session either.
      if (capacity.source === NO_CAPACITY) return done((await capacity.read(place)).measured, null);
      if (settling === undefined) return withValues(done, await capacity.read(place));
      const { last, settled } = await watchSpace(context, { capacity, settling }, place, action.kind);
      const waited: Measured = { operation: 'capacity', metric: 'settle_seconds', value: settled.seconds, unit: 's' };
      const measured = [...last.measured, waited];
      if (settled.state !== 'changing')
        return withValues(done, { measured, failure: settled.state === 'failed' ? settled.reason : null });
      // A value that is unavailable now will not become available later, so the task is done, with the reason.
      const { reason } = settled;
      return done(
        measured.map((each) => (isSize(each) || each === waited ? each : { ...each, value: null, reason })),
        null,
      );
    }
    case 'remove-data': {
      const { capacity, settling } = filesystem;
      const failure = await data.remove();
      if (failure !== null || settling === undefined) return done([], failure);
      const beside = { ...place, commands: shell.named('space') };
      const { settled } = await watchSpace(context, { capacity, settling }, beside, action.kind);
      // The removal itself succeeded, whatever the readings say; only an interrupted wait is repeated in the next session.
      return done([freed(settled)], context.abort.aborted && settled.state === 'failed' ? settled.reason : null);
    }
    default:
      await context.change?.();
      return done([], null);
  }
}

/** True for actions that affect neither data nor their removal. */
const isSize = ({ metric }: Measured): boolean => metric === 'size_bytes';

/** The operation of the sample that records how long removed data took to be freed; `null` if longer than the timeout. */
export const FREEING_OPERATION = 'freeing';

function freed(settled: Settled): Measured {
  const sample = { operation: FREEING_OPERATION, metric: 'seconds', unit: 's' };
  if (settled.state === 'settled') return { ...sample, value: settled.seconds };
  return { ...sample, value: null, reason: settled.reason };
}

/** Reads the used space of a file system until it is stable. */
async function watchSpace(
  { abort, pause }: TaskContext,
  { capacity, settling }: Required<Pick<Filesystem, 'capacity' | 'settling'>>,
  place: Workplace,
  kind: keyof Settling['alike'],
): Promise<{ last: Readout; settled: Settled }> {
  let last: Readout = { measured: capacityOf([], 'interrupted'), failure: null };
  const look = async (): Promise<Reading | string> => {
    last = await capacity.read(place);
    const [size, used] = last.measured;
    if (last.failure !== null) return last.failure;
    if (size?.value == null || used?.value == null) return used?.reason ?? 'the used space was not read';
    return { size: size.value, used: used.value };
  };
  const settled = await settle({ look, settling, alike: settling.alike[kind], abort, pause });
  return { last, settled };
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

async function dropCaches(
  { clients }: TaskContext,
  task: Task,
  shell: Shell,
  seconds: number,
): Promise<{ outcomes: Outcome[]; refused: boolean }> {
  const command = asRoot(clients, [join(clients.config.home, 'bin', 'drop-caches')]);
  const launches = onEachClient(clients, task.group, command);
  const outcomes = await Promise.all(launches.map((launch) => shell.launch(launch, seconds)));
  return { outcomes, refused: outcomes.some((outcome) => outcome.exitStatus === NOT_PERMITTED) };
}

/** Discards the figures of a failed command, even if it printed some. */
function withValues(
  done: (measured: readonly Measured[], failure: string | null) => TaskResult,
  { measured, failure }: Readout,
): TaskResult {
  const missing = measured.find((each) => each.value === null)?.reason ?? null;
  const reason = failure ?? missing;
  if (reason === null) return done(measured, null);
  return done(
    measured.map((each) =>
      failure === null && each.value !== null ? each : { ...each, value: null, reason: each.reason ?? reason },
    ),
    reason,
  );
}

async function runWorkload(
  context: TaskContext,
  step: Step,
  task: Task,
  action: WorkloadAction,
  data: DataDirectory,
  shell: Shell,
  done: (measured: readonly Measured[], failure: string | null, ranks?: number) => TaskResult,
): Promise<TaskResult> {
  const hostFile = join(context.folder, `hosts-${task.arm}`);
  const targets = action.rounds === undefined ? [] : data.targets();
  let ranksStarted = 0;
  const outcomes: Outcome[] = [];
  const once = async (own: Shell, deadlineSeconds: number, round?: number, shift = 0): Promise<RoundResult> => {
    const { launches, hostFileContent, ranks } = launchWorkload(
      context.clients,
      task.group,
      action,
      data.path,
      hostFile,
      ...(round === undefined ? [] : [{ round, shift, targets }]),
    );
    ranksStarted = ranks;
    if (hostFileContent !== null) context.write(`hosts-${task.arm}`, hostFileContent);
    const runs = await Promise.all(
      launches.map(async (launch) => {
        const ofClient = launch.client === null ? own : own.named(`client${launch.client}`);
        const outcome = await ofClient.launch(launch, deadlineSeconds, action.tool);
        outcomes.push(outcome);
        return { outcome, outputFile: ofClient.output };
      }),
    );
    return readWorkload(action, runs, ranks);
  };
  const work = async () =>
    action.rounds === undefined
      ? once(shell, step.deadlineSeconds)
      : runRounds({
          action,
          rounds: action.rounds,
          made: context.roundsMade,
          deadlineSeconds: step.deadlineSeconds,
          abort: context.abort,
          run: (pass, round, shift, seconds) => once(shell.named(`round${pass}`), seconds, round, shift),
          dropCaches: async () => {
            const { outcomes, refused } = await dropCaches(
              context,
              task,
              shell.named('drop-caches'),
              step.deadlineSeconds,
            );
            return !refused && firstFailure(outcomes) === null;
          },
        });
  const { servers, mountPoint } = mountOf(context.clients, task.arm);
  const { operation } = mainMeasure(action);
  const counted = () =>
    action.serverCpu === true ? withServerCpu(operation, servers, (suffix) => shell.named(suffix), work) : work();
  // Outermost, since the reading of the processor time has the servers write what they have in memory.
  const proven = () =>
    context.offloads === true &&
    (step.phase === 'measure' || isBelowArm(task.action as WorkloadAction)) &&
    operationOf(action).makesData
      ? withOffload(operation, servers, (suffix) => shell.named(suffix), counted)
      : counted();
  if (step.phase !== 'measure') {
    const { measured, failure } = await proven();
    return done(measured, failure, ranksStarted);
  }
  const named = (suffix: string) => shell.named(suffix);
  const look = { group: task.group, mountPoint, step: step.id };
  const { result, load, rebooted } = await context.loads.around(look, named, proven);
  const ended = {
    ...done(result.measured, result.failure, ranksStarted),
    ...(load.length === 0 ? {} : { load }),
    ...(outcomes.length === 0 ? {} : { span: spanOf(outcomes) }),
  };
  if (rebooted.length === 0) return ended;
  const cause = `${firstOf(rebooted)} rebooted meanwhile: continue with --resume, which repeats the step`;
  return failedBy(withoutValues(ended), result.failure === null ? cause : `${result.failure}; ${cause}`);
}

/**
 * `raw/<arm>/<phase>/<repeat>-<rest>`, numbered if an earlier or interrupted attempt left its output: raw output is
 * never modified, and two runs in one file would be parsed as one.
 */
function freeRawBase(folder: string, step: Step, task: Task): string {
  const rest = step.id.replace(new RegExp(`^r${step.repeat}-`), '');
  const first = `raw/${task.arm}/${step.phase.replace(' ', '-')}/${step.repeat}-${rest}`;
  const taken = (base: string): boolean =>
    ['', '.client0', '.round1', '.round1.client0'].some((part) => existsSync(join(folder, `${base}${part}.out`)));
  let base = first;
  for (let attempt = 2; taken(base); attempt++) base = `${first}.attempt${attempt}`;
  return base;
}
