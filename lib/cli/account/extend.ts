import { amount } from '../../common/field';
import { durationsIn } from '../../common/quantity';
import { findDeployment } from '../../run/deployed';
import { deadlineOf, setDeadline } from '../../run/started';
import { benchmarkNamed } from '../benchmarks';
import { type CliContext, printJson, Unsuccessful } from '../context';
import { quantity } from '../input/quantity';
import { renderDuration } from '../render/answer';

const HOUR_MS = 3_600_000;

/** A year, as the setting. */
const MOST = amount('hours or days from 0.25 to 365d', { min: 0.25, max: 8760, units: durationsIn(3600, 3600) });

/** `fsxbench extend STACK --hours N`: the stack deletes itself so much later, or so long from now if its time is over. */
export async function extendCommand(
  context: CliContext,
  name: string,
  options: { readonly hours: string; readonly json?: boolean },
): Promise<void> {
  const hours = quantity('--hours', options.hours, MOST) as number;
  const stack = await findDeployment(benchmarkNamed(name).name);
  if (/^DELETE_IN_PROGRESS$/.test(stack.status))
    throw new Unsuccessful(`${name} is being deleted: deploy it again with npx cdk deploy ${name}`);
  const deadline = await deadlineOf(stack);
  if (deadline === null)
    throw new Unsuccessful(
      `${name} does not expire: delete it with npx cdk destroy ${name}, or deploy it again with -c expiresAfterHours=24`,
    );
  const now = Date.now();
  const at = Math.max(deadline.at, now) + hours * HOUR_MS;
  const { latest } = deadline;
  if (latest !== undefined && at > latest) {
    const left = Math.max(0, latest - Math.max(deadline.at, now)) / HOUR_MS;
    throw new Unsuccessful(
      `'--hours' must be at most ${Math.floor(left * 100) / 100}, since the budget of ${name} is spent at ${new Date(latest).toISOString()}, got ${hours}: deploy it again with a larger 'maxCostUsd'`,
    );
  }
  await setDeadline(stack, at);
  const expiresAt = new Date(at).toISOString();
  const before = new Date(deadline.at).toISOString();
  const { hourlyUsd } = stack.deployment;
  const costs = `; ${hours} more ${hours === 1 ? 'hour costs' : 'hours cost'} ${((hourlyUsd ?? 0) * hours).toFixed(2)} USD at list prices`;
  if (options.json)
    printJson(context, { schema: 'fsxbench.extend/1', stack: stack.name, before, expiresAt, hourlyUsd });
  else
    context.out(
      `${stack.name} deletes itself at ${expiresAt}, in ${renderDuration((at - now) / 1000)}${hourlyUsd === null ? '' : costs}\n`,
    );
}
