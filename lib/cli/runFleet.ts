import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchmarkDefinition } from '../benchmark/definition';
import { fleetCost } from '../cost/deployment';
import type { ClientConfig, Deployment } from '../model/deployment';
import type { Plan } from '../model/plan';
import { PLAN_SCALES, type PlanScale } from '../plan/parameters';
import { makePlan, PLAN_NAMES } from '../plan/plan';
import { findClients, findDeployment, inLab, makeManifest } from '../run/deployed';
import { readManifest } from '../run/library';
import { newRunId, prefixOf, SsmRunner } from '../run/runner';
import { type ResultsStore, S3Store } from '../run/store';
import { type CliContext, Unsuccessful, UsageError } from './context';
import { LAB_FLEET, oneOf, plannedFleet, subjectOf, usage } from './plan';
import { renderIssues } from './renderPlan';
import { obtainRun } from './runs';
import type { RunOptions, StartedRun } from './startedRun';
import { documentedSurroundings } from './surroundings';
import { toolSettings } from './tools';
import { follow } from './watch';

/** Starts, or resumes, a run on the fleet of a deployed benchmark, through SSM. */
export async function startOnFleet(
  context: CliContext,
  definition: BenchmarkDefinition,
  options: RunOptions,
): Promise<StartedRun> {
  return options.resume === undefined
    ? startNew(context, definition, options)
    : resume(context, definition, options.resume, options.results);
}

async function startNew(
  context: CliContext,
  definition: BenchmarkDefinition,
  options: RunOptions,
): Promise<StartedRun> {
  const stack = await findDeployment(definition.name);
  const { deployment } = stack;
  const labClient = inLab() ? readLabClient(context) : null;
  const plan = planFor(definition, deployment, labClient, options);
  const stop = plan.issues.filter((issue) => issue.severity === 'error');
  if (stop.length > 0) throw new Unsuccessful(`this plan would not be run:\n${renderIssues(stop)}`);

  const run = newRunId(plan.plan, new Date());
  const fleet = fleetCost(deployment.instanceType, deployment.clients);
  const manifest = await makeManifest({
    run,
    stack,
    tools: labClient?.tools ?? {},
    arms: plan.arms.map(({ name }) => name),
    ...(labClient
      ? { actually: Object.fromEntries(Object.entries(labClient.arms).map(([name, arm]) => [name, arm.actually])) }
      : {}),
    fleetHourlyUsd: fleet.hourlyUsd,
    ...(fleet.reason === undefined ? {} : { fleetHourlyReason: fleet.reason }),
  });
  if (manifest.fleet.clients.length < deployment.clients) {
    throw new Unsuccessful(
      `${manifest.fleet.clients.length} of ${deployment.clients} clients are in service: wait for the others, a smaller fleet answers another question`,
    );
  }
  const store = new S3Store(deployment.bucket);
  const reference = { benchmark: definition.name, run };
  await put(store, reference, 'plan.json', plan);
  await put(store, reference, 'manifest.json', manifest);
  await putDriver(context, store, reference);
  const leader = manifest.fleet.clients[0]?.instanceId as string;
  const runner = new SsmRunner(deployment.bucket, deployment.document, leader);
  await runner.start(reference);
  context.err(`run ${run} on ${leader}; it goes on when this machine closes\n`);
  return { run, manifest, follow: () => follow(context, runner, reference) };
}

/** The same plan once more, on the fleet as it is now: a replaced leader gets the driver again, measured steps stay measured. */
async function resume(
  context: CliContext,
  definition: BenchmarkDefinition,
  text: string,
  results: string,
): Promise<StartedRun> {
  const found = await obtainRun(text, results);
  if (found.benchmark !== definition.name)
    throw new UsageError(`${found.run} is a run of ${found.benchmark}, not of ${definition.name}`);
  const old = readManifest(found.folder);
  if (old.bucket === null || old.document === null || old.fleet.autoScalingGroup === null)
    throw new UsageError(`${found.run} did not run on a fleet`);
  const clients = await findClients(old.fleet.autoScalingGroup);
  const manifest = { ...old, fleet: { ...old.fleet, clients } };
  const store = new S3Store(old.bucket);
  await put(store, found, 'manifest.json', manifest);
  await putDriver(context, store, found);
  const runner = new SsmRunner(old.bucket, old.document, clients[0]?.instanceId as string);
  const before = await runner.status(found);
  await runner.start(found);
  return {
    run: found.run,
    manifest,
    follow: () => follow(context, runner, found, { since: before?.updatedAt ?? null }),
  };
}

function planFor(
  definition: BenchmarkDefinition,
  deployment: Deployment,
  lab: ClientConfig | null,
  options: RunOptions,
): Plan {
  const name = oneOf('plan', options.plan, PLAN_NAMES);
  const deployed = deployment.scale === 'smoke' ? 'smoke' : 'published';
  const scale: PlanScale = oneOf('scale', options.scale ?? (lab ? 'lab' : deployed), PLAN_SCALES);
  const arms = deployment.arms.filter(({ name: arm }) => lab === null || lab.arms[arm] !== undefined);
  if (arms.length === 0) {
    throw new Unsuccessful(
      `the lab has a file system for none of the arms of ${definition.name}: 'npx fsxbench lab up --benchmark ${definition.name}' gives it one`,
    );
  }
  const lustre = arms.map((arm) => arm.configuration);
  const surroundings = lab ? { lab: true } : documentedSurroundings(lustre, deployment.instanceType);
  return usage(() =>
    makePlan({
      benchmark: definition.name,
      ...subjectOf(definition),
      plan: name,
      scale,
      arms: arms.map(({ name: arm, description, configuration }) => ({ name: arm, description, configuration })),
      fleet: lab ? LAB_FLEET : plannedFleet(deployment, name, surroundings.clientCpus),
      set: [
        ...(lab ? toolSettings(lab.tools, options.plan, definition.subject) : [`iorVersion=${deployment.iorVersion}`]),
        ...options.set,
      ],
      hourlyUsd: lab ? 0 : deployment.hourlyUsd,
      surroundings,
    }),
  );
}

/** What the lab stands for the clients' boot with. */
function readLabClient(context: CliContext): ClientConfig {
  const path = context.environment.FSXBENCH_CLIENT_CONFIG ?? join(context.root, '.lab', 'client', 'client.json');
  return JSON.parse(readFileSync(path, 'utf8')) as ClientConfig;
}

async function put(
  store: ResultsStore,
  reference: { benchmark: string; run: string },
  name: string,
  document: unknown,
): Promise<void> {
  await store.put(`${prefixOf(reference)}/${name}`, `${JSON.stringify(document, null, 2)}\n`);
}

/** The driver travels with the run, so that the run keeps the very code that made it. */
async function putDriver(
  context: CliContext,
  store: ResultsStore,
  reference: { benchmark: string; run: string },
): Promise<void> {
  await store.put(`${prefixOf(reference)}/driver.js`, readFileSync(join(context.root, 'dist', 'driver.js')));
}
