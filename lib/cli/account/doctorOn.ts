import { commandLine, renderTable } from '../../common/format/text';
import { bytes, plain } from '../../common/format/units';
import { type FoundMachine, lustreOf } from '../../run/clients/machines';
import { workloadOrNone } from '../../workload/lookup';
import { type CliContext, printJson, Unsuccessful, UsageError } from '../context';
import { renderDuration } from '../render/answer';
import type { RunOptions } from '../start/arguments';
import { ranOnReserved } from '../start/machines';
import { type MountSurvey, planOn, refuseEarly, surveyOf } from '../start/runOn';
import { withTools } from '../start/tools';

/** Options of `fsxbench doctor --on`: those of the run that it is asked about. */
export type DoctorOnOptions = Pick<
  RunOptions,
  'as' | 'nodes' | 'hosts' | 'slurm' | 'shared' | 'module' | 'plan' | 'set' | 'json'
> & { readonly on: string };

/** One thing that the run would say. `missing` keeps it from measuring; `limited` stands in its report. */
interface Finding {
  readonly state: 'ok' | 'limited' | 'missing';
  readonly found: string;
}

/** `fsxbench doctor --on DIRECTORY`: a run's own checks before it measures. Exit status 0 if it would measure. */
export async function doctorOnCommand(context: CliContext, asked: DoctorOnOptions): Promise<void> {
  const requested: RunOptions = { ...asked, results: '' };
  refuseEarly(requested);
  const options = await withTools(context, requested);
  if (await ranOnReserved(context, options)) return;
  const survey = await surveyOf(context, options);
  const planned = plannedOrFault(survey, options);
  const findings = findingsOf(survey, planned);
  const ready = findings.every(({ state }) => state !== 'missing');
  const machines = survey.there?.machines ?? [];
  if (options.json)
    printJson(context, {
      schema: 'fsxbench.doctor/1',
      directory: survey.directory,
      works: { 'run --on': ready },
      machines: machines.map(({ name, ...rest }) => ({ name: name || null, ...rest })),
      findings,
    });
  else {
    context.out(`${renderMachines(machines)}\n`);
    for (const { state, found } of findings) context.out(`${state.padEnd(7)}  ${found}\n`);
    context.out(`${ready ? 'ready' : 'not ready'} for: ${commandOf(options)}\n`);
  }
  if (!ready) throw new Unsuccessful('');
}

/** The run with the options that its nodes, tools and plan depend on. */
function commandOf({ on, as, nodes, hosts, slurm, shared, module = [], plan, set = [] }: RunOptions): string {
  const single = Object.entries({ on, as, nodes, hosts, slurm, shared, plan }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const repeated = [...module.map((name) => ['--module', name]), ...set.map((setting) => ['--set', setting])];
  return commandLine(['npx', 'fsxbench', 'run', ...single, ...repeated.flat()]);
}

function plannedOrFault(survey: MountSurvey, options: RunOptions): ReturnType<typeof planOn> | string {
  try {
    return planOn(survey, options);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

function findingsOf(
  { there, known, noMpi, better, directory, actually }: MountSurvey,
  planned: ReturnType<typeof planOn> | string,
): Finding[] {
  const limited = (found: string | null): Finding[] => (found === null ? [] : [{ state: 'limited', found }]);
  const missing = (found: string): Finding => ({ state: 'missing', found });
  const problems = there?.problems ?? [];
  const writable: Finding = { state: 'ok', found: `${directory} is ${actually}, and can be written to` };
  const base = [
    // One verdict, by the check that a run makes as well.
    ...(problems.length > 0 ? problems.map(missing) : [writable]),
    ...[...known.notices, ...(there?.notices ?? []), noMpi, better].flatMap(limited),
  ];
  if (typeof planned === 'string') return [...base, missing(planned)];
  const { plan, lacks, otherTool } = planned;
  const { expectedSeconds } = plan.totals;
  return [
    ...base,
    ...lacks.map(missing),
    ...limited(otherTool),
    ...plan.issues.map(({ severity, message, suggestion }): Finding => {
      const found = suggestion === undefined ? message : `${message} Next: ${suggestion}`;
      return { state: severity === 'error' ? 'missing' : 'limited', found };
    }),
    { state: 'ok', found: `the ${plan.plan} plan would take about ${renderDuration(expectedSeconds)}` },
  ];
}

const HEADER = ['client', 'system', 'processors', 'memory', 'Lustre client', 'MPI', 'tools', 'Node.js', 'others'];

/** The machines, a row for each; what one does not say is `-`. */
function renderMachines(machines: readonly FoundMachine[]): string {
  const rows = machines.map(({ name, facts, others }) => {
    const { os, cpus, memoryBytes, tools = {} } = facts ?? {};
    const workloads = Object.keys(tools).filter((tool) => workloadOrNone(tool) !== undefined);
    const words = [
      os?.name,
      cpus,
      memoryBytes && bytes(memoryBytes),
      facts && lustreOf(facts),
      versionIn(tools.openmpi),
      workloads.map((tool) => `${tool} ${versionIn(tools[tool]) ?? ''}`.trim()).join(', ') || undefined,
      versionIn(tools.node),
      others && `${plain(others.share * 100)} %`,
    ];
    return [name || 'this one', ...words.map((word) => String(word ?? '-'))];
  });
  return renderTable(HEADER, rows);
}

/** `mpirun (Open MPI) 4.1.4` becomes `4.1.4`. */
const versionIn = (line: string | undefined): string | undefined => /\d[\w.]*/.exec(line ?? '')?.[0];
