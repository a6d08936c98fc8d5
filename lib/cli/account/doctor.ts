import { renderTable } from '../../common/format/text';
import { capabilities, examine, thisMachine } from '../../doctor/checks';
import { type CliContext, printJson, Unsuccessful, UsageError } from '../context';
import type { DoctorOnOptions } from './doctorOn';

interface DoctorOptions extends Omit<DoctorOnOptions, 'on'> {
  /** A mounted directory: checks what `run --on` would find. */
  readonly on?: string;
  readonly aws?: string;
  readonly context: readonly string[];
}

/** `fsxbench doctor`: exit status 0 if a deployment, a local run or the lab would work; the output lists what each lacks. */
export async function doctorCommand(context: CliContext, options: DoctorOptions): Promise<void> {
  const { on } = options;
  if (on !== undefined) {
    if (options.aws !== undefined) throw new UsageError('--on checks a file system and --aws an account: choose one');
    return (await import('./doctorOn')).doctorOnCommand(context, { ...options, on });
  }
  if (options.set.length > 0) throw new UsageError('--set needs --on: it sets what the run there would do');
  for (const key of ['as', 'nodes', 'hosts', 'slurm', 'shared', 'plan'] as const)
    if (options[key] !== undefined) throw new UsageError(`--${key} describes the directory of --on: also give --on`);
  const machine = thisMachine(context.root, context.environment);
  if (options.aws !== undefined) {
    // Loaded here because the SDK and the settings of the stacks load slowly.
    const { doctorAwsCommand } = await import('./doctorAws');
    return doctorAwsCommand(context, options.aws, { ...options, machine: examine(machine) });
  }
  if (options.context.length > 0) throw new UsageError('-c needs --aws: it sets what would be deployed');
  const findings = examine(machine);
  const works = capabilities(findings);
  if (options.json) printJson(context, { schema: 'fsxbench.doctor/1', works, findings });
  else {
    const rows = findings.map(({ name, neededFor, state, found, advice }) => [
      ...[`${state.padEnd(8)} ${name}`, neededFor.join(', '), found, advice ?? ''],
    ]);
    context.out(renderTable(['', 'needed for', 'found', 'what to do'], rows));
    for (const [purpose, ok] of Object.entries(works)) context.out(`${ok ? 'ready' : 'not ready'} for: ${purpose}\n`);
  }
  if (!Object.values(works).some(Boolean)) throw new Unsuccessful('nothing works here yet: see the table');
}
