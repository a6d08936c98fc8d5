import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Account } from '../../lib/kit/aws/account';

interface Recorded {
  readonly call: string;
  /** What the question must hold; without it every one of this call is answered so. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly answer?: object;
  readonly error?: { readonly name: string; readonly message: string };
}

interface RecordedAccount {
  readonly from?: string;
  readonly region?: string | null;
  readonly answers: readonly Recorded[];
}

const FOLDER = join(__dirname, '../fixtures/aws-accounts');

function read(name: string): { readonly region: string | null; readonly answers: readonly Recorded[] } {
  const { from, region, answers } = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as RecordedAccount;
  const base = from === undefined ? { region: null, answers: [] } : read(from);
  return { region: region === undefined ? base.region : region, answers: [...answers, ...base.answers] };
}

/** A recorded account, and what it was asked. A question without an answer fails: it is no account then. */
export function recordedAccount(name: string): {
  readonly account: Account;
  readonly asked: { readonly call: string; readonly input: unknown }[];
} {
  const { region, answers } = read(name);
  const asked: { call: string; input: unknown }[] = [];
  const fits = ({ input = {} }: Recorded, given: Readonly<Record<string, unknown>>): boolean =>
    Object.entries(input).every(([key, value]) => isDeepStrictEqual(given[key], value));
  const account: Account = {
    region,
    ask: async (call, input) => {
      asked.push({ call, input });
      const found = answers.find((one) => one.call === call && fits(one, input as Readonly<Record<string, unknown>>));
      if (found === undefined) throw new TypeError(`no answer recorded in ${name}: ${call} ${JSON.stringify(input)}`);
      if (found.error) throw Object.assign(new Error(found.error.message), { name: found.error.name });
      return found.answer as never;
    },
  };
  return { account, asked };
}
