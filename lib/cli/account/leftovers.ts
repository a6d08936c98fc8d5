import { keyOf } from '../../common/collections';
import { andMore, renderTable } from '../../common/format/text';
import { counted } from '../../common/format/units';
import { environmentsAccount, identity, unidentified } from '../../doctor/aws/account';
import { findLeftovers, type Leftover, remedyOf } from '../../doctor/aws/leftovers';
import { type CliContext, printJson, Unsuccessful } from '../context';
import { bookOf } from '../input/environment';

/** `fsxbench leftovers`: exit status 0 only if nothing costs money but what is kept on purpose, and every service could be asked. */
export async function leftoversCommand(context: CliContext, options: { readonly json?: boolean }): Promise<void> {
  const account = await environmentsAccount();
  const { accountId, findings } = await identity(account);
  const { region } = account;
  if (accountId === null || region === null) throw new Unsuccessful(unidentified(findings));
  const { found, failures, unknown } = await findLeftovers({ account, region, book: bookOf(context) });
  const billed = found.filter(({ kept }) => kept !== true);
  if (options.json)
    printJson(context, {
      schema: 'fsxbench.leftovers/1',
      account: accountId,
      region,
      currency: 'USD',
      // Of those with a price.
      ...{ hourlyUsd: sumOf(billed, 'hourlyUsd'), monthlyUsd: sumOf(billed, 'monthlyUsd') },
      leftovers: found.map((one) => {
        const { id, what, stack, standing, kept = false, hourlyUsd: hourly, monthlyUsd: monthly, reason = null } = one;
        const prices = { hourlyUsd: hourly, monthlyUsd: monthly, reason };
        return { id, what, stack, standing, kept, ...prices, remove: remedyOf(one) };
      }),
      failures,
      unknown,
    });
  else context.out(renderLeftovers(found, billed));
  for (const { stack, what, reason, remove } of failures)
    context.err(`${stack}: ${what}: ${reason}; to delete it: ${remove}\n`);
  for (const { search, reason } of unknown) context.err(`could not look for ${search}: ${reason}\n`);
  if (billed.length + failures.length > 0) throw new Unsuccessful('');
  if (unknown.length > 0) throw new Unsuccessful('nothing was found, but some searches failed');
}

type PriceKey = 'hourlyUsd' | 'monthlyUsd';

const sumOf = (all: readonly Leftover[], key: PriceKey): number =>
  all.reduce((total, one) => total + (one[key] ?? 0), 0);

const money = (usd: number | null): string => (usd === null ? '–' : usd.toFixed(2));

/** Resources alike that get a row each; more of them, such as the instances of a fleet, share one. */
const MOST_ALIKE = 3;

function leftoverRow(group: readonly Leftover[]): string[] {
  const [first] = group as readonly [Leftover];
  const sum = (key: PriceKey): number | null => (first[key] === null ? null : sumOf(group, key));
  return [
    andMore(first.id, group.length),
    group.length === 1 ? first.what : `${group.length} × ${first.what}`,
    first.stack,
    first.kept ? 'kept' : first.standing ? 'stands' : 'gone',
    money(sum('hourlyUsd')),
    money(sum('monthlyUsd')),
    remedyOf(first),
  ];
}

/** Resources for people, with what those cost that are not kept on purpose. @param billed of those found */
export function renderLeftovers(found: readonly Leftover[], billed: readonly Leftover[]): string {
  if (found.length === 0) return 'nothing of a benchmark costs money in this account and Region\n';
  const alike = Map.groupBy(found, (one) =>
    keyOf(one.what, one.stack, String(one.kept), String(one.standing), remedyOf(one)),
  );
  const rows = [...alike.values()].flatMap((group) =>
    group.length > MOST_ALIKE ? [leftoverRow(group)] : group.map((one) => leftoverRow([one])),
  );
  const table = renderTable(['resource', 'what', 'stack', '', 'USD/h', 'USD/month', 'remove with'], rows);
  if (billed.length === 0) return `${table}\nonly what is kept on purpose\n`;
  const unpriced = billed.filter(({ hourlyUsd }) => hourlyUsd === null).length;
  const without = unpriced === 0 ? '' : `, without ${counted(unpriced, 'resource')} whose price is not known`;
  return `${table}\n${money(sumOf(billed, 'hourlyUsd'))} USD/h, ${money(sumOf(billed, 'monthlyUsd'))} USD per month at list prices${without}\n`;
}
