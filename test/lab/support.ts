import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureVenv } from '../../lib/lab/venv';

/** The project that is tested. */
export const PROJECT = resolve(__dirname, '../..');

/**
 * A project folder of its own for a lab, so that a test never meets the user's lab: the project's sources by link, an empty `.lab`
 * but for the Python environment, which is shared.
 */
export async function labProject(): Promise<{ root: string; remove: () => void }> {
  const python = await ensureVenv(PROJECT);
  const root = mkdtempSync(join(tmpdir(), 'fsxbench-lab-test-'));
  for (const name of ['assets', 'lib', 'node_modules', 'scripts', 'package.json', 'tsconfig.json']) {
    symlinkSync(join(PROJECT, name), join(root, name));
  }
  mkdirSync(join(root, '.lab'));
  symlinkSync(join(python, '../..'), join(root, '.lab/venv'));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
