import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Manifest } from '../schema/run';

/** The release of fsxbench in a folder; its commit where that is a checkout, with `+` behind it where files were changed. */
export const releaseIn = async (root: string): Promise<NonNullable<Manifest['fsxbench']>> => ({
  version: versionIn(root),
  commit: await commitIn(root),
});

/** `unknown` for a folder without a package. */
export function versionIn(root: string): string {
  try {
    return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version?: string }).version ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

async function commitIn(root: string): Promise<string | null> {
  const git = async (...words: string[]): Promise<string> =>
    (await promisify(execFile)('git', ['-C', root, ...words], { timeout: 10_000 })).stdout.trim();
  try {
    // A package within another repository, such as in node_modules, is none of its commits.
    if ((await git('rev-parse', '--show-prefix')) !== '') return null;
    const changed = await git('status', '--porcelain', '--untracked-files=no');
    return `${await git('rev-parse', '--short=12', 'HEAD')}${changed === '' ? '' : '+'}`;
  } catch {
    return null;
  }
}
