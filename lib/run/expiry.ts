import { BOUNDED } from '../common/aws/bounded';
import { DEADLINE } from '../schema/deployment';
import { type DeployedStack, parameterNamed } from './deployed';

const HOUR_MS = 3_600_000;

/** When a stack deletes itself. */
export interface Deadline {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The latest that its budget allows. @default - it has none */
  readonly latest?: number;
}

/** The deadline of a stack, or the one that the state machine will set within minutes if there is none; `null` for a stack that does not expire. */
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

/** Moves the time at which a stack deletes itself. */
export async function setDeadline({ deployment, name }: DeployedStack, at: number): Promise<void> {
  if (deployment.expiry === undefined) throw new Error(`the stack ${name} does not expire`);
  const { SSMClient, PutParameterCommand } = await import('@aws-sdk/client-ssm');
  const Value = new Date(at).toISOString();
  await new SSMClient(BOUNDED).send(
    new PutParameterCommand({ Name: deployment.expiry.deadline, Value, Overwrite: true }),
  );
}
