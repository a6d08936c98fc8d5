import type { Plan } from '../../lib/schema/plan';
import { smallPlan } from '../run/bench';

const SETTINGS = ['compressibilities=1', 'repeats=1', 'seconds=1', 'maxMiBPerArm=32'];
/** fio then takes about a second for 16 MiB, long enough to be found. */
const SLOWLY = '--rate=16m';

/** Tools that work on the arms: fio, with a warm-up or without one, or two ranks that mpirun starts. */
export type By = 'fio' | 'warm fio' | 'mpirun';

/** A plan of seconds. */
export function planOf(by: By): Plan {
  if (by === 'mpirun') {
    const rank = 'dd if=/dev/zero of="$0/$OMPI_COMM_WORLD_RANK" bs=1M count=8 conv=fsync; sleep 1';
    const program = ['mpirun', '--allow-run-as-root', '--oversubscribe', '-np', '2', 'sh', '-c', rank, '{dir}'];
    return smallPlan({ plan: 'command', set: ['repeats=1'], program });
  }
  const plan = smallPlan({ set: ['tool=fio', `warmUpSeconds=${by === 'fio' ? 0 : 1}`, ...SETTINGS] });
  const steps = plan.steps.map((step) => ({
    ...step,
    tasks: step.tasks.map((task) =>
      task.action.kind === 'workload'
        ? { ...task, action: { ...task.action, command: [...task.action.command, SLOWLY] } }
        : task,
    ),
  }));
  return { ...plan, steps };
}
