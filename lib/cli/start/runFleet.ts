import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from '../../benchmark/benchmark';
import { changeWarnings } from '../../run/changing';
import { type DeployedStack, findDeployment, inLab } from '../../run/deployed';
import { awaitImports } from '../../run/imports';
import { deployedManifest, fleetOfDeployment } from '../../run/manifest';
import { releaseIn } from '../../run/release';
import { firstClientOf, newRunId, type RunSums, SsmRunner } from '../../run/runner';
import { deadlineOf, keepStart, sha256, startedElsewhere, startedHere, startedPlan } from '../../run/started';
import type { StartRecord } from '../../schema/client';
import type { Plan } from '../../schema/plan';
import type { Manifest } from '../../schema/run';
import { type ResultsStore, S3Store } from '../../store/bucket';
import { readManifest } from '../../store/documents';
import { RunFolder } from '../../store/folder';
import { folderOf } from '../../store/library';
import { prefixOf, type RunReference, readPlan } from '../../store/record';
import { type CliContext, documentText, requireClone, Unsuccessful, UsageError, usage } from '../context';
import { chosenPlan } from '../plan';
import { renderDuration } from '../render/answer';
import { withProgressWhenSlow } from '../render/progressLog';
import { dashboardNamed, KEPT_BODY, obtainRun } from '../results/runs';
import { follow } from '../results/watch';
import type { RunOptions, StartedRun } from './arguments';
import { planOnFleet, readLabClient } from './fleetPlan';
import { notStartedHere, refuseErrors } from './localRun';
import { otherTool } from './tools';

/** Starts or resumes a run on the fleet of a deployed benchmark, through SSM. */
export async function startOnFleet(
  context: CliContext,
  definition: Benchmark,
  options: RunOptions,
): Promise<StartedRun> {
  requireClone(context, 'dist/driver.js', 'a run on a fleet');
  if (options.resume !== undefined) return resume(context, definition, options.resume, options.results);
  const { plan, stack, deployment, labClient } = await planOnFleet(context, definition, options);
  const why = labClient ? otherTool(labClient.tools, chosenPlan(definition, options), options.set) : null;
  if (why !== null) context.err(`${why}\n`);
  refuseErrors(plan);
  await refuseTooLate(stack, plan);

  const run = newRunId(plan.plan, new Date());
  const deployed = await deployedManifest(run, stack, plan, labClient);
  const say = (line: string): void => context.err(`${line}\n`);
  const manifest = {
    ...deployed,
    arms: await awaitImports(deployed.arms, deployment, { say }),
    fsxbench: await releaseIn(context.root),
  };
  for (const sentence of changeWarnings(manifest.arms)) context.err(`warning: ${sentence}\n`);
  const store = new S3Store(deployment.bucket);
  const reference = { benchmark: definition.name, run };
  const planSha256 = sha256(documentText(plan));
  const record = { schema: 'fsxbench.start/1', ...reference, planSha256, stack: stack.id, client: null } as const;
  await keepStart(context.environment, record, store);
  const upload = () => putRun(context, store, reference, documentText(plan), documentText(manifest));
  const sums = await withProgressWhenSlow(say, 'uploading the driver', upload);
  // Also saved locally: a run can be resumed after its bucket was deleted.
  const folder = new RunFolder(folderOf(options.results, definition.name, run));
  folder.write('plan.json', documentText(plan));
  folder.write('manifest.json', documentText(manifest));
  const leader = firstClientOf(manifest.fleet) as string;
  const runner = new SsmRunner(deployment.bucket, deployment.document, leader);
  await withProgressWhenSlow(say, 'starting the driver', () => runner.start(reference, sums));
  await keepDashboard(context, store, reference, folder, manifest.dashboard ?? null);
  context.err(`run ${run} on ${leader}; it keeps running after you disconnect\n`);
  return { run, manifest, follow: (signal) => follow(context, runner, reference, { signal }) };
}

/** A stack that deletes itself during the run would end it: nothing could continue with it. */
async function refuseTooLate(stack: DeployedStack, { totals }: Plan): Promise<void> {
  const deadline = await deadlineOf(stack);
  if (deadline === null) return;
  const seconds = (deadline.at - Date.now()) / 1000;
  if (totals.expectedSeconds <= seconds) return;
  const hours = Math.ceil((totals.expectedSeconds - Math.max(0, seconds)) / 3600) + 1;
  throw new Unsuccessful(
    `refusing to run this plan: it takes about ${renderDuration(totals.expectedSeconds)}, but ${stack.name} deletes itself at ${new Date(deadline.at).toISOString()}, ${seconds <= 0 ? 'any moment now' : `in ${renderDuration(seconds)}`}: npx fsxbench extend ${stack.name} --hours ${hours}`,
  );
}

/** Saves the dashboard now, since the stack may be gone when the metrics are collected. A failure does not stop the run. */
async function keepDashboard(
  context: CliContext,
  store: ResultsStore,
  reference: RunReference,
  folder: RunFolder,
  name: string | null,
): Promise<void> {
  if (name === null) return;
  try {
    const body = await dashboardNamed(name);
    if (body === null) return;
    await store.put(`${prefixOf(reference)}/${KEPT_BODY}`, body);
    folder.write(KEPT_BODY, body);
  } catch (error) {
    context.err(`the dashboard ${name} could not be saved with the run: ${(error as Error).message.split('\n')[0]}\n`);
  }
}

/** Resumes the same plan on the current fleet: a replaced leader gets the driver again, measured steps stay measured. */
async function resume(context: CliContext, definition: Benchmark, text: string, results: string): Promise<StartedRun> {
  const found = await obtainRun(text, results);
  if (found.benchmark !== definition.name)
    throw new UsageError(`${found.run} is a run of ${found.benchmark}, not of ${definition.name}`);
  const here = startedHere(context.environment, found);
  // A run that claims to be local, but was not started here, has no record in the bucket either.
  if (here === null && readManifest(found.folder).stack === null) throw new UsageError(notStartedHere(found.run));
  const stack = await findDeployment(definition.name);
  const { bucket, document: ssmDocument } = stack.deployment;
  const store = new S3Store(bucket);
  const record = here ?? (await startedElsewhere(store, found));
  if (record === null) throw new UsageError(notStartedHere(found.run));
  const planText = usage(() => startedPlan(found.folder, record));
  const [old, plan] = [readManifest(found.folder), readPlan(found.folder)];
  const manifest = await manifestToResume(context, { old, record, plan, stack });
  await keepStart(context.environment, { ...record, stack: stack.id }, store);
  const sums = await putRun(context, store, found, planText, documentText(manifest));
  new RunFolder(found.folder).write('manifest.json', documentText(manifest));
  const runner = new SsmRunner(bucket, ssmDocument, firstClientOf(manifest.fleet) as string);
  const since = (await runner.status(found))?.updatedAt ?? null;
  await runner.start(found, sums);
  return { run: found.run, manifest, follow: (signal) => follow(context, runner, found, { signal, since }) };
}

/**
 * The manifest of a resumed run: the current fleet, everything else unchanged. @throws Unsuccessful for another deployment, whose results are not
 * comparable. The lab makes its file systems alike, so there a run may be resumed after its emulator died, with a notice.
 */
async function manifestToResume(
  context: CliContext,
  { old, record, plan, stack }: { old: Manifest; record: StartRecord; plan: Plan; stack: DeployedStack },
): Promise<Manifest> {
  const { run } = record;
  const { deployment } = stack;
  if (stack.id === record.stack) {
    const fleet = { ...old.fleet, ...(await fleetOfDeployment(deployment).find(deployment)) };
    const { benchmark, bucket, document, dashboard, hourlyUsd } = deployment;
    const own = { name: stack.name, id: stack.id, hourlyUsd };
    return { ...old, run, benchmark, bucket, document, dashboard, stack: own, fleet };
  }
  if (!inLab())
    throw new Unsuccessful(
      `${run} was measured on a deployment that no longer exists (${record.stack}); resuming would mix two deployments: start a new run`,
    );
  const manifest = await deployedManifest(run, stack, plan, readLabClient(context));
  const notice = 'The run was started in another lab, which stopped before it was done.';
  return { ...manifest, notices: [...manifest.notices, notice] };
}

/** Uploads what a leader needs to start, with the driver, which is part of the run. @returns SHA-256 of each, since clients may write there */
async function putRun(
  context: CliContext,
  store: ResultsStore,
  reference: RunReference,
  plan: string,
  manifest: string,
): Promise<RunSums> {
  const driver = readFileSync(join(context.root, 'dist', 'driver.js'));
  const files = { 'plan.json': plan, 'manifest.json': manifest, 'driver.js': driver };
  for (const [name, content] of Object.entries(files)) await store.put(`${prefixOf(reference)}/${name}`, content);
  return { plan: sha256(plan), manifest: sha256(manifest), driver: sha256(driver) };
}
