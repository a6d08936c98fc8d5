import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const PACKAGES = join(ROOT, '.lab/checkov');

/** What Checkov finds in the templates of a folder, as `rule at type.id`. */
export function checkov(folder: string): string[] {
  if (!existsSync(PACKAGES))
    throw new Error(`Checkov must be in ${PACKAGES}, got nothing: run 'npm test' once, which sets it up`);
  const how = ['--framework', 'cloudformation', '--skip-download', '--compact', '--quiet', '--output', 'json'];
  const argv = ['-m', 'checkov.main', ...how, '--directory', folder];
  const { stdout, stderr } = spawnSync(join(ROOT, '.lab/venv/bin/python'), argv, {
    encoding: 'utf8',
    cwd: folder,
    maxBuffer: 1 << 28,
    env: { ...process.env, PYTHONPATH: PACKAGES, LOG_LEVEL: 'ERROR' },
  });
  // Its exit status is 1 when it finds something, and when it fails.
  const answer = JSON.parse(stdout || '{}') as {
    readonly summary?: { readonly parsing_errors: number; readonly resource_count: number };
    readonly results?: { readonly failed_checks: readonly { readonly check_id: string; readonly resource: string }[] };
  };
  if (answer.results === undefined || !answer.summary?.resource_count || answer.summary.parsing_errors > 0)
    throw new Error(`Checkov could not read the templates in ${folder}: ${stderr || stdout.slice(0, 2000)}`);
  return answer.results.failed_checks.map(({ check_id, resource }) => `${check_id} at ${resource}`);
}
