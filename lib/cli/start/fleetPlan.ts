import { join } from 'node:path';
import type { Benchmark } from '../../benchmark/benchmark';
import { settingsOnModel } from '../../benchmark/common/onModel';
import { labFleet } from '../../benchmark/lab';
import { PLAN_SCALES, type PlanEnvironment, type PlanScale } from '../../benchmark/plan';
import { MODEL_VARIATION } from '../../lab/model/figures';
import { defaultPlan } from '../../plan/plan';
import { mountedAs } from '../../run/clients/directory';
import { findDeployment, inLab } from '../../run/deployed';
import { readClientConfig } from '../../run/driver/session';
import { describeArms, withDescriptions } from '../../run/manifest';
import type { ClientConfig } from '../../schema/client';
import type { Deployment } from '../../schema/deployment';
import { HELD_WITHIN } from '../../schema/model';
import type { Plan } from '../../schema/plan';
import { type CliContext, Unsuccessful } from '../context';
import { documentedEnvironment } from '../input/environment';
import { word } from '../input/quantity';
import { chosenPlan, type PlanOptions, planAs, plannedFleet } from '../plan';
import { toolSettings } from './tools';

/** The plan for the file systems and clients that are deployed, with the lab's client in the lab. */
export async function planOnFleet(context: CliContext, definition: Benchmark, options: PlanOptions) {
  const stack = await findDeployment(definition.name);
  const labClient = inLab() ? readLabClient(context) : null;
  const described = await describeArms(stack.deployment.arms);
  const deployment = withDescriptions(stack.deployment, described);
  return { plan: planFor(definition, deployment, labClient, options), stack, deployment, labClient };
}

function planFor(definition: Benchmark, deployment: Deployment, lab: ClientConfig | null, options: PlanOptions): Plan {
  const chosen = chosenPlan(definition, options);
  const deployed = deployment.scale === 'smoke' ? 'smoke' : 'published';
  const scale: PlanScale = word('scale', options.scale ?? (lab ? 'lab' : deployed), PLAN_SCALES);
  const arms = deployment.arms.filter(({ name: arm }) => lab === null || lab.arms[arm] !== undefined);
  if (arms.length === 0)
    throw new Unsuccessful(
      `the lab has no file system for any arm of ${definition.name}: restart it with npx fsxbench lab up --benchmark ${definition.name}`,
    );
  const storages = arms.map(({ configuration }) => configuration);
  const environment = lab ? labEnvironment(lab) : documentedEnvironment(storages, deployment.instanceType, new Date());
  const ofDeployment = 'iorVersion' in chosen.parameters.shape ? [`iorVersion=${deployment.iorVersion}`] : [];
  // The rates of a scale model are known before.
  const ofLab = ({ tools, arms: mounted }: ClientConfig): readonly string[] => [
    ...toolSettings(tools, chosen, defaultPlan(definition).name),
    ...settingsOnModel(
      chosen,
      Object.values(mounted).flatMap(({ model }) => model ?? []),
    ),
  ];
  return planAs(definition, options, {
    plan: chosen.name,
    scale,
    arms: arms.map(({ name: arm, description, configuration }) => ({ name: arm, description, configuration })),
    fleet: lab ? labFleet(definition) : plannedFleet(deployment, chosen),
    set: [...(lab ? ofLab(lab) : ofDeployment), ...options.set],
    hourlyUsd: lab ? 0 : deployment.hourlyUsd,
    costBasis: lab ? undefined : deployment.priceBasis,
    mountedAs: lab ? mountedAs(lab) : undefined,
    environment,
  });
}

function labEnvironment({ arms }: ClientConfig): PlanEnvironment {
  const held = Object.values(arms).every(({ model }) => model !== undefined);
  return { lab: true, ...(held ? { variation: MODEL_VARIATION, systematic: HELD_WITHIN } : {}) };
}

/** The lab's substitute for the clients' boot. */
export function readLabClient(context: CliContext): ClientConfig {
  const path = context.environment.FSXBENCH_CLIENT_CONFIG ?? join(context.root, '.lab', 'client', 'client.json');
  return readClientConfig(path);
}
