import { spawnSync } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { delimiter } from 'node:path';

/** The machine, as an interface so that tests can replace it. */
export interface Machine {
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly nodeVersion: string;
  readonly isRoot: boolean;
  /** Standard output and error of a command; `null` if it is missing or fails. */
  readonly ask: (argv: readonly string[]) => string | null;
  readonly exists: (path: string) => boolean;
  readonly freeBytes: (path: string) => number;
}

export function thisMachine(root: string, environment: NodeJS.ProcessEnv): Machine {
  return {
    root,
    environment,
    nodeVersion: process.versions.node,
    isRoot: process.getuid?.() === 0,
    ask: (argv) => {
      const path = [environment.PATH ?? '', '/usr/sbin', '/sbin', '/usr/lib64/openmpi/bin'].join(delimiter);
      const answer = spawnSync(argv[0] as string, argv.slice(1), {
        encoding: 'utf8',
        timeout: 10_000,
        env: { ...environment, PATH: path },
      });
      return answer.status === 0 ? `${answer.stdout}${answer.stderr}` : null;
    },
    exists: existsSync,
    freeBytes: (path) => {
      const { bavail, bsize } = statfsSync(path);
      return bavail * bsize;
    },
  };
}
