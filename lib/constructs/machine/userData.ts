import { readFileSync } from 'node:fs';
import { Duration, Lazy, Token, Tokenization } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { LIMITS } from '../../common/aws/services';
import { assetPath } from '../../common/files';
import type { Builds } from '../../fleet/configuration';

/** Path of the script: only root may read it, and it stays for inspection. */
const PATH = '/var/lib/fsxbench/user-data';

const INDENT = ' '.repeat(6);

/**
 * User data as cloud-init's own configuration, which writes a shell script and runs it once, at first boot.
 *
 * EC2 would also accept a script alone. `cloud-init schema` of the releases in Amazon Linux 2023 and Debian 12 (22.x) would not: it supports only
 * `#cloud-config`, so nobody could check a script before it is deployed.
 *
 * The script is in a literal block, which needs no escaping: values that CloudFormation fills in later pass unchanged if they contain no line break.
 */
export function cloudConfig(script: string): string {
  const block = script
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `${INDENT}${line}`))
    .join('\n');
  return `#cloud-config
write_files:
  - path: ${PATH}
    permissions: '0700'
    content: |
${block}
runcmd:
  - [/bin/bash, ${PATH}]
`;
}

/** Bytes reserved for a value that only CloudFormation knows: ids and DNS names are shorter. */
const TOKEN_BYTES = 128;

/** Bytes reserved beyond that for the signed address of a wait condition: the stack's ARN, escaped, an expiry, a key and a signature. */
const SIGNED_URL_BYTES = 512;

export const CLIENT_SCRIPT_PATH = assetPath('client/user-data.sh');

/** A script of `assets` for user data, which has no room for its comments. */
export const bootScript = (path: string): string => readFileSync(path, 'utf8').replaceAll(/^\s*#(?!!).*\n/gm, '');

/** Fetches the bundle of scripts, runs one of them, and signals. */
export const CLIENT_SCRIPT = bootScript(CLIENT_SCRIPT_PATH);

/** A text that stands in `'…'` for the shell, and in the block of {@link cloudConfig}. */
const escaped = (text: string, lineBreak = '\n'): string => text.replaceAll("'", "'\\''").replaceAll('\n', lineBreak);

/** A value that CloudFormation fills in, with its own words escaped: a user's Fn.join, Fn.sub or Lazy may have quotes and lines. */
function escapedWords(resolved: unknown): unknown {
  const words = (text: string): string => escaped(text, `\n${INDENT}`);
  if (typeof resolved === 'string') return words(resolved);
  const { 'Fn::Join': join, 'Fn::Sub': sub }: Readonly<Record<string, unknown>> = Object(resolved);
  if (Array.isArray(join) && Array.isArray(join[1])) return { 'Fn::Join': [words(join[0]), join[1].map(escapedWords)] };
  if (typeof sub === 'string') return { 'Fn::Sub': words(sub) };
  return Array.isArray(sub) ? { 'Fn::Sub': [words(sub[0]), ...sub.slice(1)] } : resolved;
}

/** `'…'` for the shell. Values of resources pass as they are: ids and DNS names hold no quote. */
function quoted(value: string): string {
  const asText = (part: unknown): string => (typeof part === 'string' ? part : Token.asString(part ?? ''));
  const parts = Tokenization.reverseString(escaped(value)).mapTokens({
    mapToken: (token) => Lazy.uncachedAny({ produce: (context) => escapedWords(context.resolve(token)) }),
  });
  return `'${asText(parts.join({ join: (left, right) => `${asText(left)}${asText(right)}` }))}'`;
}

/** Environment of the clients' scripts, without values that are their defaults. */
export const buildEnvironment = ({ iorVersion, openMpiVersion, install = 'source', mpiEfa = false }: Builds) => ({
  FSXBENCH_IOR_VERSION: iorVersion,
  FSXBENCH_OPENMPI_VERSION: openMpiVersion,
  ...(install !== 'source' && { FSXBENCH_INSTALL: install }),
  ...(mpiEfa && { FSXBENCH_MPI_EFA: 'true' }),
});

/** Time limit of a boot in seconds: less than CloudFormation waits, so a slow boot is reported before the deployment times out. */
export const bootSeconds = (bootTimeout: Duration): string =>
  String(bootTimeout.minus(Duration.minutes(5)).toSeconds());

const sizeInBytes = (text: string): number =>
  Buffer.byteLength(text.replaceAll(/\$\{Token\[[^\]]*\]\}/g, 'x'.repeat(TOKEN_BYTES)));

/** Next step for developers of fsxbench. */
const MOVE = 'Move what can wait into the bundle that it downloads (assets/client).';

/**
 * User data, as cloud-init's own configuration, that sets the environment and continues with a script, that of `assets/client` by default.
 * Values only: every decision is the script's. @param next advice for somebody who is over EC2's limit
 * @throws Error when it would exceed EC2's limit, since EC2 would say so only after minutes of deployment
 */
export function machineUserData(
  environment: Readonly<Record<string, string>>,
  script: string = CLIENT_SCRIPT,
  next: string = MOVE,
): ec2.UserData {
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}`);
  const text = cloudConfig(['#!/bin/bash', ...exports, script].join('\n'));
  const bytes = sizeInBytes(text) + ('FSXBENCH_SIGNAL_URL' in environment ? SIGNED_URL_BYTES : 0);
  const { max } = LIMITS.userDataBytes;
  if (bytes > max) throw new Error(`user data must be at most ${max} bytes, got ${bytes}. ${next}`);
  return ec2.UserData.custom(text);
}
