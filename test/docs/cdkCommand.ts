import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeStacks } from '../../lib/deploy/application';
import { appWithFlags } from '../support/cdk';
import { PROJECT } from './pages';

/** The release that package.json depends on. */
const CDK = join(PROJECT, 'node_modules/.bin/cdk');

const helps = new Map<string, string>();
/** The help of one of the CDK CLI's commands. @throws if it has none of that name */
function helpOf(verb: string): string {
  const known = helps.get(verb) ?? execFileSync(CDK, [verb, '--help'], { encoding: 'utf8', cwd: tmpdir() });
  helps.set(verb, known);
  if (!known.startsWith(`cdk ${verb}`)) throw new Error(`the CDK CLI has no command ${verb}`);
  return known;
}

interface Made {
  /** Errors by stack; `null` for a stack without any. */
  readonly errors: ReadonlyMap<string, string | null>;
  readonly templates: readonly unknown[];
}

const made = new Map<string, Made>();

/** The application with these settings. */
function synthesised(settings: readonly string[], region: string): Made {
  const key = JSON.stringify([settings, region]);
  const known = made.get(key);
  if (known !== undefined) return known;
  const set = Object.fromEntries(settings.map((each) => [each.split('=', 1)[0], each.slice(each.indexOf('=') + 1)]));
  const app = appWithFlags(set);
  makeStacks(app, { region });
  const { stacks } = app.synth();
  const errors = new Map(
    stacks.map(({ stackName, messages }) => {
      const own = messages.filter(({ level }) => level === 'error').map(({ entry }) => String(entry.data));
      return [stackName, own.length === 0 ? null : own.join('\n')];
    }),
  );
  const result = { errors, templates: stacks.map(({ template }) => template) };
  made.set(key, result);
  return result;
}

const settingsIn = (words: readonly string[]): string[] => words.filter((_, index) => words[index - 1] === '-c');

/** The templates of all stacks that the application has with the settings of a command. */
export const templatesOf = (words: readonly string[], region = 'us-east-1'): readonly unknown[] =>
  synthesised(settingsIn(words), region).templates;

/**
 * Faults of a CDK CLI command: its verb and options must exist, and the application must make each named stack with these settings without an error.
 */
export function problemsOfCdk(words: readonly string[], region = 'us-east-1'): string[] {
  const [verb = '', ...rest] = words;
  const options = rest.filter((word) => word.startsWith('-'));
  const settings = settingsIn(rest);
  const taking = new Set(['-c', '--require-approval']);
  const stacks = rest.filter((word, index) => !word.startsWith('-') && !taking.has(rest[index - 1] ?? ''));
  const help = helpOf(verb);
  const unknown = options.filter((option) => !new RegExp(`[ ,]${option.replace('--no-', '--(?:no-)?')}\\b`).test(help));
  const found = verb === 'bootstrap' || verb === 'init' ? new Map() : synthesised(settings, region).errors;
  return [
    ...unknown.map((option) => `cdk ${verb} has no option ${option}`),
    ...stacks.flatMap((name) => (found.has(name) ? (found.get(name) ?? []) : `there is no stack ${name}`)),
  ];
}
