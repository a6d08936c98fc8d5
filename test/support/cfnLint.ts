import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const IN_VENV = join(__dirname, '../../.lab/venv/bin/cfn-lint');

/** Output of cfn-lint about templates: empty when they are fine. */
export function cfnLint(files: readonly string[]): string {
  const command = process.env.FSXBENCH_CFN_LINT ?? IN_VENV;
  if (!existsSync(command)) {
    throw new Error(`cfn-lint must be at ${command}, got nothing: run 'npm test' once, which sets it up`);
  }
  const { status, stdout, stderr } = spawnSync(command, ['--non-zero-exit-code', 'informational', ...files], {
    encoding: 'utf8',
    cwd: join(__dirname, '../..'),
  });
  if (status !== 0 && stdout === '') throw new Error(`cfn-lint failed with status ${status}: ${stderr}`);
  return stdout;
}
