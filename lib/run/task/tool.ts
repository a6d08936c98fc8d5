import { join } from 'node:path';
import { firstOf } from '../../common/format/text';
import type { Plan, WorkloadAction } from '../../schema/plan';
import type { RecordedTarget, Sample } from '../../schema/sample';
import type { Readout } from '../../storage/filesystem';
import type { Measured } from '../../workload/common/measured';
import { operationOf } from '../../workload/lookup';
import { launchWorkload, type Round } from '../clients/launch';
import type { Outcome } from '../clients/process';
import { atServers, isBelowArm, withOffload, withServerCpu } from '../clients/servers';
import { stopwatch } from '../driver/clock';
import type { Shell } from '../shell';
import type { ActiveTask } from './activeTask';
import { failedBy, firstFailure, spanOf, type TaskResult, withoutValues } from './outcome';
import { mainMeasure, readWorkload } from './readWorkload';

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
  const place = { group: task.group, mountPoint: mount.mountPoint };
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

interface RoundsOptions {
  readonly action: WorkloadAction;
  readonly rounds: NonNullable<WorkloadAction['rounds']>;
  /** Counts existing rounds of files, which reads all samples so far: only what does not create them asks. */
  readonly made: () => number;
  readonly deadlineSeconds: number;
  readonly abort: AbortSignal;
  /** Starts the command for the `pass`-th time on the files of a round, with ranks shifted by `shift` clients. */
  readonly run: (pass: number, round: number, shift: number, deadlineSeconds: number) => Promise<Readout>;
  readonly dropCaches: () => Promise<boolean>;
}

/** A phase shorter than this share of the requested time is reported as short. */
const LONG_ENOUGH = 0.95;
/** Phases with a shorter target are never reported as short, since the service's metrics cannot show them anyway. */
const METRICS_SECONDS = 60;

/** Repeats a command on rounds of files (lib/schema/plan.ts, `rounds`), one iteration each, to the first failure. Times exclude MPI's start-up. */
export async function runRounds(options: RoundsOptions): Promise<Readout> {
  const { action, rounds, deadlineSeconds, abort, run, dropCaches } = options;
  const creates = action.operation === 'create';
  const removes = action.operation === 'remove';
  const made = creates ? 0 : options.made();
  if (!creates && made === 0) return { measured: [], failure: 'no round of files was created' };
  const time = stopwatch();
  const measured: Measured[] = [];
  let seconds = 0;
  let doubtful = false;
  const max = removes ? made : rounds.max;
  for (let pass = 1; pass <= max; pass++) {
    const round = creates || removes ? pass : ((pass - 1) % made) + 1;
    // The files of a round are accessed again, so clients have them cached.
    if (!creates && !removes && pass > made && round === 1) doubtful = !(await dropCaches()) || doubtful;
    const left = deadlineSeconds - time.seconds();
    const result = await run(pass, round, creates ? 0 : pass, Math.max(1, left));
    const found = doubtful ? withCaution(result.measured, 'caches_not_dropped') : result.measured;
    measured.push(...found.map((each) => ({ ...each, iteration: pass - 1 })));
    if (result.failure !== null || abort.aborted) return { measured, failure: result.failure ?? 'interrupted' };
    seconds += result.measured.find(({ metric }) => metric === 'seconds')?.value ?? 0;
    if (!removes && seconds >= rounds.seconds && pass >= (creates ? 1 : Math.min(made, max))) break;
  }
  const short = rounds.seconds >= METRICS_SECONDS && seconds < LONG_ENOUGH * rounds.seconds;
  return { measured: short ? withCaution(measured, 'phase_too_short') : measured, failure: null };
}

const withCaution = (measured: readonly Measured[], caution: string): Measured[] =>
  measured.map((each) => ({ ...each, cautions: [...(each.cautions ?? []), caution] }));

/** Rounds of files from the latest creation of a unit on an arm, in any session. */
export function roundsOf(
  { steps }: Plan,
  { unit, arm }: { readonly unit: string; readonly arm: string },
  samples: readonly Sample[],
): number {
  const own = steps.filter((step) => step.unit === unit);
  const creates = own.filter(({ tasks }) =>
    tasks.some(({ action }) => action.kind === 'workload' && action.operation === 'create'),
  );
  const ids = new Set(creates.map(({ id }) => id));
  const made = samples.filter(
    (sample) => ids.has(sample.step) && sample.arm === arm && sample.metric === 'rate' && sample.value !== null,
  );
  const last = Math.max(...made.map(({ attempt }) => attempt));
  return made.filter(({ attempt }) => attempt === last).length;
}
