import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compressionBench } from '../../lib/benchmark/compression';
import type { Account } from '../../lib/common/aws/account';
import { resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import { examineAccount } from '../../lib/doctor/aws';

interface Recorded {
  readonly call: string;
  /** Text that the question must hold; without it every one of this call is answered so. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly answer?: object;
  readonly error?: { readonly name: string; readonly message: string };
}

interface RecordedAccount {
  readonly from?: string;
  readonly region?: string | null;
  readonly answers: readonly Recorded[];
}

const FOLDER = join(__dirname, '../fixtures');

function read(name: string, folder: string): { readonly region: string | null; readonly answers: readonly Recorded[] } {
  const { from, region, answers } = JSON.parse(
    readFileSync(join(FOLDER, folder, `${name}.json`), 'utf8'),
  ) as RecordedAccount;
  const base = from === undefined ? { region: null, answers: [] } : read(from, folder);
  return { region: region === undefined ? base.region : region, answers: [...answers, ...base.answers] };
}

/** A recorded account, with its requests. A request without an answer fails: the account is incomplete. */
export function recordedAccount(
  name: string,
  folder = 'aws-accounts',
): { readonly account: Account; readonly asked: { readonly call: string; readonly input: unknown }[] } {
  const { region, answers } = read(name, folder);
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

/** Findings of doctor in a recorded account: all of it, what is not well, and by name. */
export async function examineRecorded(
  name: string,
  settings: Settings = {},
  {
    now = '2026-10-20',
    definition = compressionBench,
    refusal = null as string | null,
    // Answers and errors in place of what was recorded, by the call.
    instead = {} as Readonly<Record<string, object>>,
  } = {},
) {
  const { account: recorded, asked } = recordedAccount(name);
  const account: Account = {
    ...recorded,
    ask: async (call, input) => {
      const other = instead[call];
      if (other === undefined) return recorded.ask(call, input);
      asked.push({ call, input });
      if (other instanceof Error) throw other;
      return other as never;
    },
  };
  const configuration = resolveBenchmark(definition, settings);
  const answer = await examineAccount({ account, configuration, refusal: () => refusal, now: new Date(now) });
  const wrong = answer.findings.filter(({ state }) => state !== 'ok');
  return { ...answer, asked, wrong, of: (one: string) => answer.findings.filter((finding) => finding.name === one) };
}
