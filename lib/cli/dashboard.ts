import { readFileSync, writeFileSync } from 'node:fs';
import type { Manifest } from '../model/run';
import { readManifest } from '../run/library';
import { type CliContext, Unsuccessful, UsageError } from './context';
import { obtainRun } from './runs';

/** Options of `fsxbench dashboard`. */
export interface DashboardOptions {
  readonly run: string;
  readonly html: string;
  readonly template?: string;
  readonly results: string;
}

/** `fsxbench dashboard STACK --run RUN --html FILE`: draws the stack's dashboard from the metrics that were collected into a run. */
export async function dashboardCommand(context: CliContext, stack: string, options: DashboardOptions): Promise<void> {
  const { readRun } = await import('../report');
  const { parseBody, renderDashboard } = await import('../draw');
  const found = await obtainRun(options.run, options.results);
  const manifest = readManifest(found.folder);
  const { metrics } = await readRun(found.folder);
  const windows = metrics.map(({ window }) => window);
  const from = windows.map((window) => window.from).sort()[0];
  const to = windows
    .map((window) => window.to)
    .sort()
    .at(-1);
  if (from === undefined || to === undefined) {
    throw new Unsuccessful(
      `the run ${found.run} has no metrics yet: 'npx fsxbench collect ${found.run}' brings them from CloudWatch`,
    );
  }
  const text = options.template === undefined ? await deployedBody(stack) : await bodyFrom(options.template, manifest);
  const page = await renderDashboard({
    title: `${stack}: dashboard of the run ${found.run}`,
    body: parseBody(text),
    series: metrics.flatMap(({ series }) => series),
    window: { from, to },
    ...(manifest.lab && {
      note: 'The values come from the lab: they are of this machine, and of no file system of AWS.',
    }),
  });
  try {
    writeFileSync(options.html, page);
  } catch (error) {
    throw new UsageError(`'--html' must be a file that can be written: ${(error as Error).message}`);
  }
  context.out(`${options.html}\n`);
}

async function bodyFrom(file: string, manifest: Manifest): Promise<string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`'--template' must be a file that can be read: ${(error as Error).message}`);
  }
  const { bodyInTemplate } = await import('../draw');
  const fileSystems = Object.fromEntries(manifest.arms.map(({ name, fileSystemId }) => [name, fileSystemId ?? name]));
  try {
    return bodyInTemplate(text, { fileSystems, region: manifest.region ?? 'us-east-1' });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The body of the only dashboard of a stack, as CloudWatch has it. */
async function deployedBody(stack: string): Promise<string> {
  const { CloudFormationClient, paginateListStackResources } = await import('@aws-sdk/client-cloudformation');
  const { CloudWatchClient, GetDashboardCommand } = await import('@aws-sdk/client-cloudwatch');
  const names: string[] = [];
  try {
    for await (const page of paginateListStackResources(
      { client: new CloudFormationClient({}) },
      { StackName: stack },
    )) {
      for (const { ResourceType, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
        if (ResourceType === 'AWS::CloudWatch::Dashboard' && PhysicalResourceId) names.push(PhysicalResourceId);
      }
    }
  } catch (error) {
    if (!/does not exist/.test((error as Error).message)) throw error;
    throw new Unsuccessful(
      `there is no stack ${stack} in this account and Region: deploy it, or name a synthesised template with --template`,
    );
  }
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw new Unsuccessful(`the stack ${stack} must have one dashboard, got ${names.length}`);
  }
  const { DashboardBody } = await new CloudWatchClient({}).send(new GetDashboardCommand({ DashboardName: name }));
  if (!DashboardBody) throw new Unsuccessful(`the dashboard ${name} is empty: deploy ${stack} again`);
  return DashboardBody;
}
