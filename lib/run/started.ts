import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { BOUNDED } from '../common/aws/connection';
import { readWhole } from '../common/files';
import { type StartRecord, startSchema } from '../schema/client';
import { DEADLINE } from '../schema/deployment';
import { readTextOrNull } from '../schema/document';
import { checkedName } from '../schema/names';
import type { ResultsStore } from '../store/bucket';
import { RunFolder } from '../store/folder';
import type { RunReference } from '../store/record';
import { type DeployedStack, parameterNamed } from './deployed';

/** SHA-256 in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content);

/** Key in the results bucket, in a place that no client's role may write to (lib/constructs/machine/permissions.ts). */
const keyOf = ({ benchmark, run }: RunReference): string =>
  `started/${checkedName('benchmark', benchmark)}/${checkedName('run', run)}.json`;

/** Next step for a home directory that is read-only, as on the nodes of some clusters, or missing, as for users of containers. */
const ELSEWHERE = 'set XDG_STATE_HOME to a directory that you may write, and keep it for --resume';

/** The user's state folder. Source: XDG Base Directory Specification. @throws for a user without a home directory */
export const stateFolder = ({ XDG_STATE_HOME, HOME }: NodeJS.ProcessEnv): string =>
  join(XDG_STATE_HOME || join(HOME || ownHome(), '.local', 'state'), 'fsxbench');

function ownHome(): string {
  try {
    return homedir();
  } catch {
    throw new Error(`user ${process.getuid?.()} has no home directory, in which runs are recorded: ${ELSEWHERE}`);
  }
}

/** Saves the record in the user's state folder and, for a run on a fleet, in the bucket. @throws with the next step if the folder cannot be written */
export async function keepStart(
  environment: NodeJS.ProcessEnv,
  record: StartRecord,
  store: ResultsStore | null = null,
): Promise<void> {
  const text = `${JSON.stringify(record, null, 2)}\n`;
  await store?.put(keyOf(record), text);
  try {
    new RunFolder(stateFolder(environment)).write(keyOf(record), text);
  } catch (error) {
    throw new Error(`the run cannot be recorded: ${(error as Error).message}; ${ELSEWHERE}`, { cause: error });
  }
}

/** The record of a run that this computer started; `null` if it did not. */
export function startedHere(environment: NodeJS.ProcessEnv, reference: RunReference): StartRecord | null {
  const path = join(stateFolder(environment), keyOf(reference));
  return existsSync(path) ? recordIn(readWhole(path), reference) : null;
}

export function recordsHere(environment: NodeJS.ProcessEnv): StartRecord[] {
  const root = join(stateFolder(environment), 'started');
  const all = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  const documents = all.filter((path) => path.endsWith('.json'));
  return documents.flatMap((path) => readTextOrNull(startSchema, readWhole(join(root, path))) ?? []);
}

/** The record, from the deployed stack's bucket, of a run that another machine started; `null` if it does not exist. */
export async function startedElsewhere(store: ResultsStore, reference: RunReference): Promise<StartRecord | null> {
  const body = await store.get(keyOf(reference));
  const record = body === null ? null : recordIn(body.toString('utf8'), reference);
  // Only the machine of a local run knows its directories.
  return record?.client === null ? record : null;
}

function recordIn(text: string, { benchmark, run }: RunReference): StartRecord | null {
  const record = readTextOrNull(startSchema, text);
  return record?.benchmark === benchmark && record.run === run ? record : null;
}

/** Returns the text of the plan that was started. @throws unless `plan.json` in the folder is that plan, byte for byte */
export function startedPlan(folder: string, { planSha256, run }: StartRecord): string {
  const path = join(folder, 'plan.json');
  const text = readWhole(path);
  const found = sha256(text);
  if (found === planSha256) return text;
  throw new Error(
    `the SHA-256 of '${path}' must be ${planSha256}, as it was when ${run} was started, got ${found}: refusing to run a plan that ` +
      'was modified; restore the original, or start a new run',
  );
}

const HOUR_MS = 3_600_000;

interface Deadline {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The latest that its budget allows. @default - it has none */
  readonly latest?: number;
}

/** The deadline of a stack, or the one that the state machine will set within minutes; `null` for a stack that does not expire. */
export function deadlineIn(
  value: string,
  { deployment, createdAt }: Pick<DeployedStack, 'deployment' | 'createdAt'>,
  now = Date.now(),
): Deadline | null {
  const { expiry } = deployment;
  if (expiry === undefined) return null;
  const latest = expiry.budgetHours === undefined ? undefined : createdAt + expiry.budgetHours * HOUR_MS;
  const set = DEADLINE.test(value) ? Date.parse(value) : now + expiry.hours * HOUR_MS;
  return { at: Math.min(set, latest ?? set), latest };
}

/** When a stack deletes itself; `null` for never. */
export async function deadlineOf(stack: DeployedStack): Promise<Deadline | null> {
  const { expiry } = stack.deployment;
  if (expiry === undefined) return null;
  return deadlineIn((await parameterNamed(expiry.deadline)) ?? '', stack);
}

export async function setDeadline({ deployment, name }: DeployedStack, at: number): Promise<void> {
  if (deployment.expiry === undefined) throw new Error(`the stack ${name} does not expire`);
  const { SSMClient, PutParameterCommand } = await import('@aws-sdk/client-ssm');
  const Value = new Date(at).toISOString();
  await new SSMClient(BOUNDED).send(
    new PutParameterCommand({ Name: deployment.expiry.deadline, Value, Overwrite: true }),
  );
}
