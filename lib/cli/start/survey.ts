import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { MOUNT_BENCHMARK } from '../../benchmark/registry';
import { mountAbove } from '../../common/mounts';
import { thisInstanceType } from '../../fleet/common/thisMachine';
import { instanceType } from '../../fleet/instanceTypes';
import { deployedFleet } from '../../fleet/launchers';
import { defaultPlan } from '../../plan/plan';
import { describeMount } from '../../run/clients/directory';
import { examineMachines, type FoundMachine } from '../../run/clients/machines';
import { toolVersions } from '../../run/clients/tools';
import type { ClientConfig } from '../../schema/client';
import type { Plan } from '../../schema/plan';
import { type CliContext, UsageError } from '../context';
import { missingTools, toolSettings } from '../input/tools';
import { localClient, writableDirectory } from './localRun';
import { clientsIn, type Machines, machinesOf, scriptsFolder } from './machines';
import { configurationOn, type PlannedMount, planOn } from './mountPlan';
import { planIn, type RunOptions, recordedNotices } from './recorded';
import { installHint } from './tools';

/** A mounted directory and the machines that measure it, as they are before anything is measured. */
export interface MountSurvey extends PlannedMount {
  /** `null` for this computer alone. */
  readonly machines: Machines | null;
  readonly client: ClientConfig;
  /** Why MPI is left out; `null` if it is not. */
  readonly noMpi: string | null;
  /** Next step to the tools that the plan prefers and this computer lacks; `null` if it has them, or nobody here does. */
  readonly better: string | null;
}

/** Looks at a directory and its machines, for `run --on` and for `doctor --on`. @throws UsageError for what cannot be looked at */
export async function surveyOf(context: CliContext, options: RunOptions): Promise<MountSurvey> {
  const { directory, known, arm } = await directoryIn(context, options);
  const machines = await machinesOf(context, options);
  const noMpi = (machines && (await deployedFleet(machines.option).noMpi?.(context.environment))) ?? null;
  const { openmpi, ...others } = await toolVersions(context.environment);
  const tools = { ...others, ...(openmpi === undefined || noMpi !== null ? {} : { openmpi }) };
  const home = scriptsFolder(context, machines === null ? {} : options);
  const client = localClient(context, new Map([[arm, directory]]), tools, { session: options.session, machines, home });
  const clients = { config: client, addresses: machines?.names ?? [], groups: 1 };
  const there = await examineMachines(clients, directory);
  // A login node is seldom of the type of the machines that measure.
  const clientType = machines === null ? thisInstanceType() : typeOf(there.machines);
  const actually = client.arms[arm]?.actually ?? directory;
  const ofPlan = { directory, arm, actually, clientType, known, clients: machines?.names.length ?? 1, tools, there };
  const better = await installHint(context, missingTools(tools, planIn(options), options.set));
  return { ...ofPlan, machines, client, noMpi, better };
}

async function directoryIn(context: CliContext, options: RunOptions) {
  if (options.local !== undefined)
    throw new UsageError('--on measures one directory and --local compares several: choose one');
  const directory = writableDirectory('--on', options.on ?? '');
  const known = await configurationOn(context, mountAbove(realpathSync(directory)), options.as);
  return { directory, known, arm: armName(directory) };
}

/**
 * The plan of a run on a directory, from facts known on this computer: no other machine is asked. If the tools here cannot run it, the plan's own
 * tool is assumed, which the others may have.
 *
 * @throws UsageError if no plan fits the options
 */
export async function sketchOn(context: CliContext, options: RunOptions): Promise<Plan> {
  const { directory, known, arm } = await directoryIn(context, options);
  const found = await toolVersions(context.environment);
  const chosen = planIn(options);
  let tools: PlannedMount['tools'] = found;
  try {
    toolSettings(found, chosen, defaultPlan(MOUNT_BENCHMARK).name);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    context.err(`here ${error.message}; this is the plan with ${chosen.tools?.preferred.label}\n`);
    tools = null;
  }
  const others = clientsIn(options);
  const clients = others ?? 1;
  const clientType = others === null ? thisInstanceType() : null;
  for (const sentence of [...known.notices, ...recordedNotices(options)]) context.err(`${sentence}\n`);
  const actually = describeMount(directory);
  return planOn({ directory, arm, actually, clientType, known, clients, tools, there: null }, options).plan;
}

/** `/mnt/My data` becomes `my-data`. */
function armName(directory: string): string {
  const name = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 24);
  return name === '' ? 'mount' : name;
}

/** The instance type that all machines have; `null` if they differ or it is unknown. */
function typeOf(machines: readonly FoundMachine[]): string | null {
  const [first, ...others] = new Set(machines.map(({ facts }) => facts?.instance?.type ?? null));
  return first != null && others.length === 0 && instanceType(first) !== null ? first : null;
}
