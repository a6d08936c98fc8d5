import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { DockerImage, SymlinkFollowMode } from 'aws-cdk-lib';
import * as assets from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import { assetPath } from '../../common/assets';
import { ConfigurationError } from '../../common/configurationError';

/** Folder with the scripts that run on the clients, and on the servers of storages that have some. */
const FOLDER = assetPath('client');

/** Scripts of storages, to which a link in that folder leads. `npm pack` leaves links out, so that the package has none. */
const STORAGES = 'storage';

/** Puts the folders together as the link does. CDK makes no container where this has done it. */
const linked = {
  image: DockerImage.fromRegistry('scratch'),
  local: {
    tryBundle: (output: string): boolean => {
      cpSync(FOLDER, output, { recursive: true });
      cpSync(assetPath(STORAGES), join(output, STORAGES), { recursive: true });
      return true;
    },
  },
};

/** The scripts as machines fetch them at their first boot. @throws ConfigurationError for a checkout from which no machine could boot */
export function bundleAsset(scope: Construct): assets.Asset {
  checkCheckout();
  return new assets.Asset(scope, 'Bundle', {
    path: FOLDER,
    followSymlinks: SymlinkFollowMode.ALWAYS,
    bundling: existsSync(join(FOLDER, STORAGES)) ? undefined : linked,
  });
}

/** Longer than any link of the project, and shorter than any script. */
const LONGEST_LINK = 100;
const AGAIN = 'clone the project again on Linux, macOS or inside WSL';

let checked = false;

/**
 * Refuses a checkout from which no machine could boot: bash ends at a CR before it can report why, and a stack waits 45 minutes for machines
 * that are billed.
 *
 * @throws ConfigurationError naming each file
 */
export function checkCheckout(): void {
  if (checked) return;
  const root = assetPath('');
  const problems = ['client', 'server', STORAGES].flatMap((folder) => {
    const path = join(root, folder);
    if (!existsSync(path)) return [];
    const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.flatMap(({ parentPath, name }) => problemOf(join(parentPath, name), root));
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  checked = true;
}

function problemOf(path: string, root: string): string[] {
  const name = join('assets', relative(root, path));
  const content = readFileSync(path, 'utf8');
  if (content.includes('\r'))
    return [`'${name}' must have the line ends of Linux, got CR LF, with which no machine boots: ${AGAIN}`];
  // What git writes in place of a link.
  const isLink = content.length < LONGEST_LINK && /^\.\.?\/[^\n]+$/.test(content);
  return isLink && existsSync(resolve(dirname(path), content))
    ? [`'${name}' must be a link, got a text file that git wrote in its place (core.symlinks=false): ${AGAIN}`]
    : [];
}
