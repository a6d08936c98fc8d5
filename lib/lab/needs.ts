import { join } from 'node:path';
import { assignments } from '../common/format/text';
import { LabError } from './error';
import { runCommand } from './processes';

/** A program, header or library that this computer lacks, with the packages that have it: a line of assets/lab/needs.tsv. */
export interface Missing {
  readonly uses: string;
  /** Packages of Debian and Ubuntu, separated by blanks. */
  readonly apt: string;
  /** Packages of Amazon Linux, Fedora and their like; `null` if they do not have it. */
  readonly dnf: string | null;
}

export interface Uses {
  /** `the scale model` */
  readonly of: string;
  /** Names in assets/lab/needs.tsv. */
  readonly uses: readonly string[];
  /** Loss without it, as a clause; `null` if nothing works then. */
  readonly without: string | null;
}

export interface Unmet extends Uses {
  readonly missing: readonly Missing[];
}

export const needsOfScript = (
  root: string,
  path: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string[]> => linesOf('env', [...assignments(variables), 'bash', join(root, 'assets', path), 'needs']);

export async function unmetOf(root: string, needs: readonly Uses[]): Promise<Unmet[]> {
  const uses = [...new Set(needs.flatMap((need) => need.uses))];
  const lines = uses.length === 0 ? [] : await linesOf('bash', [join(root, 'assets/lab/needs'), ...uses]);
  const missing = lines.map(missingFrom);
  return needs.flatMap((need) => {
    const own = need.uses.flatMap((name) => missing.filter(({ uses }) => uses === name));
    return own.length === 0 ? [] : [{ ...need, missing: own }];
  });
}

export function missingFrom(line: string): Missing {
  const [uses = '', apt = '', dnf = '-'] = line.split('\t');
  return { uses, apt, dnf: dnf === '-' ? null : dnf };
}

/** `apt-get install lz4 zstd, or dnf install lz4 zstd`, as far as distributions have them. */
export function howToInstall(missing: readonly Missing[]): string {
  const packages = (of: (one: Missing) => string | null): string =>
    [...new Set(missing.flatMap((one) => (of(one) ?? '').split(' ')))].filter((word) => word !== '').join(' ');
  const dnf = missing.every((one) => one.dnf !== null) ? `, or dnf install ${packages((one) => one.dnf)}` : '';
  return `apt-get install ${packages(({ apt }) => apt)}${dnf}`;
}

/** `the scale model needs tc: apt-get install iproute2; without it nothing limits disks and links`, or `fio is missing: …` of a tool itself */
export function inWords({ of, without, missing }: Unmet): string {
  const names = missing.map(({ uses }) => uses).join(', ');
  return `${names === of ? `${of} is missing` : `${of} needs ${names}`}: ${howToInstall(missing)}${without === null ? '' : `; without it ${without}`}`;
}

async function linesOf(command: string, args: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCommand(command, args);
  if (code !== 0) throw new LabError(`${args.join(' ')} failed: ${stderr.trim()}`);
  return stdout.split('\n').filter((line) => line !== '');
}
