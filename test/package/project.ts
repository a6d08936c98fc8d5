import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './tarball';

/** A folder for the projects of one test file. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'fsxbench-package-'));

/** The older of the two compilers, which those who install the package may have; npm links either as `tsc`. */
export const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** A program of the checkout's node_modules. */
export const bin = (name: string): string => join(ROOT, 'node_modules', '.bin', name);

/** Runs a program in a project with nothing of this process's environment but the PATH. */
export function ran(
  command: string,
  argv: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
) {
  const env = { PATH: process.env.PATH, HOME: cwd, ...more };
  const { status, stdout, stderr } = spawnSync(command, argv, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 26 });
  return { status, text: stdout + stderr, stdout };
}

export const outcome = ({ status, text }: ReturnType<typeof ran>) => ({ status, text });
