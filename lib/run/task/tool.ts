import { join } from 'node:path';
import { firstOf } from '../../common/format/text';
import type { WorkloadAction } from '../../schema/plan';
import type { RecordedTarget } from '../../schema/sample';
import type { Readout } from '../../storage/filesystem';
import { operationOf } from '../../workload/lookup';
import { launchWorkload, type Round } from '../clients/launch';
import type { Outcome } from '../clients/process';
import { atServers, isBelowArm, withOffload, withServerCpu } from '../clients/servers';
import type { Shell } from '../shell';
import type { ActiveTask } from './activeTask';
import { failedBy, firstFailure, spanOf, type TaskResult, withoutValues } from './outcome';
import { mainMeasure, readWorkload } from './readWorkload';
import { runRounds } from './rounds';

/** Runs a tool, once or in rounds; a measured one between two readings of its clients' load. */
export async function runTool(active: ActiveTask, action: WorkloadAction): Promise<TaskResult> {
  const { context, step, task, shell, mount } = active;
  const started = new StartedTool(active, atServers(action, mount.servers));
  const measured = withServers(active, action, () =>
    action.rounds === undefined ? started.once() : started.inRounds(),
  );
  if (step.phase !== 'measure') {
    const result = await measured();
    return active.done(result.measured, result.failure, started.ranks);
  }
  const place = { group: task.group, mountPoint: mount.mountPoint, step: step.id };
  const { result: around, targets } = await betweenTargets(active, async () => {
    const { result, ...loads } = await context.loads.around(place, (suffix) => shell.named(suffix), measured);
    return { ...result, ...loads };
  });
  const { load, rebooted, ...result } = around;
  const ended = {
    ...active.done(result.measured, result.failure, started.ranks),
    load: load.length === 0 ? undefined : load,
    targets,
    span: started.outcomes.length === 0 ? undefined : spanOf(started.outcomes),
  };
  if (rebooted.length === 0) return ended;
  const cause = `${firstOf(rebooted)} rebooted meanwhile: continue with --resume, which repeats the step`;
  return failedBy(withoutValues(ended), result.failure === null ? cause : `${result.failure}; ${cause}`);
}

/** The work with what its servers say before and after it: their processor time, and that their hardware compressed. */
function withServers(
  { context, step, shell, mount: { servers } }: ActiveTask,
  action: WorkloadAction,
  work: () => Promise<Readout>,
): () => Promise<Readout> {
  const { operation } = mainMeasure(action);
  const named = (suffix: string): Shell => shell.named(suffix);
  const counted = () => (action.serverCpu === true ? withServerCpu(operation, servers, named, work) : work());
  const proves =
    context.offloads === true && (step.phase === 'measure' || isBelowArm(action)) && operationOf(action).makesData;
  // Outermost, since reading the processor time makes the servers write out their memory.
  return proves ? () => withOffload(operation, servers, named, counted) : counted;
}

class StartedTool {
  /** Processes of the last start. */
  ranks = 0;
  readonly outcomes: Outcome[] = [];

  constructor(
    readonly active: ActiveTask,
    readonly action: WorkloadAction,
  ) {}

  /** Starts it on all of the task's clients, and reads what they printed. */
  async once(shell = this.active.shell, deadlineSeconds = this.active.step.deadlineSeconds, round?: Round) {
    const { context, task, data } = this.active;
    const { action } = this;
    const hosts = `hosts-${task.arm}`;
    const hostFile = join(context.folder, hosts);
    const how = launchWorkload(context.clients, task.group, action, data.path, hostFile, round);
    this.ranks = how.ranks;
    if (how.hostFileContent !== null) context.write(hosts, how.hostFileContent);
    const runs = how.launches.map(async (launch) => {
      const ofClient = launch.client === null ? shell : shell.named(`client${launch.client}`);
      const outcome = await ofClient.launch(launch, deadlineSeconds, action.tool);
      this.outcomes.push(outcome);
      return { outcome, outputFile: ofClient.output };
    });
    return readWorkload(action, await Promise.all(runs), how.ranks);
  }

  inRounds(): Promise<Readout> {
    const { context, step, shell, data } = this.active;
    const { action } = this;
    const targets = data.targets();
    return runRounds({
      action,
      rounds: action.rounds as NonNullable<WorkloadAction['rounds']>,
      made: context.roundsMade,
      deadlineSeconds: step.deadlineSeconds,
      abort: context.abort,
      run: (pass, round, shift, seconds) => this.once(shell.named(`round${pass}`), seconds, { round, shift, targets }),
      dropCaches: async () => {
        const { outcomes, refused } = await this.active.dropCaches(shell.named('drop-caches'));
        return !refused && firstFailure(outcomes) === null;
      },
    });
  }
}

/** Does a task's work, and returns the targets with its data, and each target's state before and after. @returns no targets if they are not visible */
export async function betweenTargets<Result extends Pick<Readout, 'failure'>>(
  { filesystem: { targets: reader }, place }: ActiveTask,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly targets?: readonly RecordedTarget[] }> {
  if (reader === undefined) return { result: await work() };
  const since = new Date();
  const before = await reader.states(place, { since, withSpace: true });
  const result = await work();
  if (before.size === 0) return { result };
  const after = await reader.states(place, { since, withSpace: false });
  const objects = result.failure === null ? await reader.objects(place, [...before.keys()]) : null;
  return {
    result,
    targets: [...before].map(([name, state]) => {
      const now = after.get(name) ?? state;
      // Space is read before the work alone.
      const end = state === 'nearly full' && now === 'active' ? state : now;
      return { name, before: state, after: end, objects: objects?.get(name) ?? null };
    }),
  };
}

/** The result of a failed task; after the tool’s words the targets that are not active, and what to do. */
export async function withTargetFault(
  { filesystem: { targets }, place, context }: ActiveTask,
  since: Date,
  result: TaskResult,
): Promise<TaskResult> {
  if (targets === undefined || result.failure === null || context.abort.aborted) return result;
  const fault = await targets.fault(place, since);
  return fault === null ? result : failedBy(result, `${result.failure}; ${fault}`);
}
