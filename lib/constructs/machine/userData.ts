import { readFileSync } from 'node:fs';
import { Duration } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type { Builds } from '../../fleet/fleet';
import { assetPath } from '../../kit/assets';
import { LIMITS } from '../../kit/aws/serviceLimits';

/** Path of the script: only root may read it, and it stays for inspection. */
const PATH = '/var/lib/fsxbench/user-data';

/**
 * User data as cloud-init's own configuration, which writes a shell script and runs it once, at first boot.
 *
 * A script alone would be accepted by EC2, too, but not by `cloud-init schema` of the releases that Amazon Linux 2023 and
 * Debian 12 carry (22.x): those know nothing but `#cloud-config`, so nobody could check it before it is deployed.
 *
 * The script stands in a literal block, where nothing needs escaping: values that CloudFormation fills in later pass as
 * they are, as long as they hold no line break.
 */
export function cloudConfig(script: string): string {
  const block = script
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `      ${line}`))
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

/** Path of the first program of a machine. */
export const CLIENT_SCRIPT_PATH = assetPath('client/user-data.sh');

/** A script of `assets` as user data has it: without lines of comments, for which there is no room. */
export const bootScript = (path: string): string => readFileSync(path, 'utf8').replaceAll(/^\s*#(?!!).*\n/gm, '');

/** Fetches the bundle of scripts, runs one of them, and signals. */
export const CLIENT_SCRIPT = bootScript(CLIENT_SCRIPT_PATH);

/** `'…'` for the shell. Tokens pass as they are: ids and DNS names hold no quote. */
function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

/** Environment of the clients' scripts, without values that are their defaults. */
export const buildEnvironment = ({ iorVersion, openMpiVersion, install = 'source', mpiEfa = false }: Builds) => ({
  FSXBENCH_IOR_VERSION: iorVersion,
  FSXBENCH_OPENMPI_VERSION: openMpiVersion,
  ...(install !== 'source' && { FSXBENCH_INSTALL: install }),
  ...(mpiEfa && { FSXBENCH_MPI_EFA: 'true' }),
});

/** Time limit of a machine's boot: less than CloudFormation waits, so that a slow one is reported before the deployment times out. */
export const bootSeconds = (bootTimeout: Duration): string =>
  String(bootTimeout.minus(Duration.minutes(5)).toSeconds());

function sizeInBytes(text: string): number {
  return Buffer.byteLength(text.replaceAll(/\$\{Token\[[^\]]*\]\}/g, 'x'.repeat(TOKEN_BYTES)));
}

/**
 * User data, as cloud-init's own configuration, that sets the environment and goes on with a script, that of `assets/client` by default.
 * Values only: every decision is the script's.
 *
 * @throws Error when it would exceed EC2's limit, since EC2 would say so only after minutes of deployment
 */
export function machineUserData(
  environment: Readonly<Record<string, string>>,
  script: string = CLIENT_SCRIPT,
): ec2.UserData {
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}`);
  const text = cloudConfig(['#!/bin/bash', ...exports, script].join('\n'));
  const bytes = sizeInBytes(text);
  const { most } = LIMITS.userDataBytes;
  if (bytes > most) {
    throw new Error(
      `user data must be at most ${most} bytes, got ${bytes}. ` +
        'Move what can wait into the bundle that it downloads (assets/client).',
    );
  }
  return ec2.UserData.custom(text);
}
