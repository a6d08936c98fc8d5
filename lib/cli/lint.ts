import { statSync } from 'node:fs';
import * as z from 'zod';
import { amount, field, oneOfWords, wholeFrom } from '../common/field';
import { readWhole } from '../common/files';
import { sizesIn } from '../common/quantity';
import { instanceType } from '../fleet/instanceTypes';
import { isCommand, type LintContext, type LintDocument, lintDocument, lintFile, withAllowed } from '../lint';
import { titleOf } from '../schema/issue';
import { STORAGES } from '../storage/registry';
import { type CliContext, printJson, Unsuccessful, UsageError, usage, whyUnread } from './context';
import { quantity } from './input/quantity';

interface LintOptions {
  readonly iorVersion?: string;
  readonly clients?: string;
  readonly instance?: string;
  readonly serverMemory?: string;
  readonly compression?: string;
  readonly stripeCount?: string;
  readonly metadataIops?: string;
  /** A script, or a file that a tool takes; `-` is stdin. */
  readonly file?: string;
  readonly allow?: readonly string[];
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** `fsxbench lint -- COMMAND…`, `fsxbench lint FILE`, `fsxbench lint --file SCRIPT`: exit status 0 if there are no errors, with --strict no warnings either. */
export function lintCommandLine(context: CliContext, command: readonly string[], options: LintOptions): void {
  if (options.file !== undefined && command.length > 0)
    throw new UsageError(`--file cannot be combined with a command, got '${command.join(' ')}'`);
  const file = options.file ?? (command.length === 1 && isFile(command[0]) ? command[0] : undefined);
  if (file === undefined && command.join('').trim() === '')
    throw new UsageError(
      'no command given: npx fsxbench lint -- ior -w -t 1m …, the whole line in quotes, or --file SCRIPT',
    );
  const known = environment(options);
  const found = file === undefined ? lintDocument(command, known) : lintFile(textOf(file), known);
  const document = { ...found, findings: usage(() => withAllowed(found.findings, options.allow ?? [])) };
  if (options.json) printJson(context, document);
  else context.out(renderFindings(document));
  const failing = options.strict ? ['error', 'warning'] : ['error'];
  if (document.findings.some(({ severity, allowed = false }) => !allowed && failing.includes(severity)))
    throw new Unsuccessful('');
}

const isFile = (path: string | undefined): boolean =>
  path !== undefined && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);

/** @throws UsageError for a file that cannot be read, or has nothing to check, which would look like approval */
function textOf(file: string): string {
  let text: string;
  try {
    text = readWhole(file === '-' ? 0 : file);
  } catch (error) {
    throw new UsageError(`--file: '${file}' cannot be read: ${whyUnread(error)}`);
  }
  if (/^[ \t]*[^#\s]/m.test(text)) return text;
  throw new UsageError(`--file: '${file}' must have a command, and has only blank lines and comments`);
}

/** The findings as text, and at the end the command with all suggestions applied. */
function renderFindings({ findings, better }: Pick<LintDocument, 'findings' | 'better'>): string {
  if (findings.length === 0) return 'no known problems with this command\n';
  const merged = findings.length === 1 ? null : better;
  const texts = findings.map(({ id, severity, message, suggestion, line, allowed = false }) => {
    const details = [id, line === undefined ? [] : `line ${line}`, allowed ? 'allowed' : []].flat().join(', ');
    const head = `${severity}  ${titleOf(id)}  (${details})`;
    const isMerged = suggestion === null || (merged !== null && isCommand(suggestion));
    return `${head}\n  ${message}\n${isMerged ? '' : `  → ${suggestion}\n`}`;
  });
  const last = merged === null ? [] : [`better\n  → ${merged.trim().replaceAll('\n', '\n    ')}\n`];
  return [...texts, ...last].join('\n');
}

const VERSION = field(z.string().regex(/^\d+\.\d+(\.\d+)?\S*$/), 'a version such as 3.3.0');

function environment(options: LintOptions): LintContext {
  const { instance } = options;
  const iorVersion = quantity('--ior-version', options.iorVersion, VERSION);
  const compression = quantity('--compression', options.compression, oneOfWords(['none', 'lz4']));
  const type = instance === undefined ? null : instanceType(instance);
  if (instance !== undefined && type === null)
    throw new UsageError(`'--instance' must be an instance type with known data, got '${instance}'`);
  return {
    iorVersion,
    clients: quantity('--clients', options.clients, wholeFrom(1)),
    cpus: type?.vcpus,
    clientMemoryBytes: type ? type.memoryMiB * 2 ** 20 : undefined,
    serverMemoryBytes: quantity('--server-memory', options.serverMemory, MEMORY),
    compresses: compression === undefined ? undefined : compression === 'lz4',
    stripeCount: quantity('--stripe-count', options.stripeCount, wholeFrom(-1)),
    createsPerSecond: createsAt(quantity('--metadata-iops', options.metadataIops, wholeFrom(1))),
  };
}

/** File creations per second documented for a number of metadata IOPS. */
function createsAt(iops: number | undefined): number | undefined {
  const metadata = STORAGES.map(({ documented }) => documented.metadata).find((one) => one !== undefined);
  return iops === undefined ? undefined : metadata?.ratesAt(iops).file_create;
}

/** Less is a size without its unit: 96 for 96G. */
const MEMORY = amount('a size from 1M such as 96G', { min: 1e6, max: 2 ** 60, units: sizesIn(1, 1) });
