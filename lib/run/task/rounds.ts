import type { Plan, WorkloadAction } from '../../schema/plan';
import type { Sample } from '../../schema/sample';
import type { Readout } from '../../storage/filesystem';
import type { Measured } from '../../workload/common/measured';
import { stopwatch } from '../driver/clock';

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
