import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(__dirname, '../..');
const PACKAGES = join(ROOT, '.lab/checkov');

/** Checkov has no rule for these, and follows each reference of dashboards and alarms for half of its time. */
const WITHOUT_RULES = 'AWS::CloudWatch::';

/** Findings of Checkov in templates, as `rule at type.id`. */
export function checkov(templates: readonly string[]): string[] {
  if (!existsSync(PACKAGES))
    throw new Error(`Checkov must be in ${PACKAGES}, got nothing: run 'npm test' once, which sets it up`);
  const rules = join(PACKAGES, 'checkov/cloudformation/checks');
  const ruling = readdirSync(rules, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(?:py|json|ya?ml)$/.test(file) && readFileSync(join(rules, file), 'utf8').includes(WITHOUT_RULES),
  );
  if (ruling.length > 0)
    throw new Error(`Checkov must have no rule for ${WITHOUT_RULES}*, got ${ruling}: do not leave them out`);
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-checkov-'));
  try {
    for (const file of templates) {
      const template = JSON.parse(readFileSync(file, 'utf8')) as { Resources: Record<string, { Type: string }> };
      const kept = Object.entries(template.Resources).filter(([, { Type }]) => !Type.startsWith(WITHOUT_RULES));
      const ruled = { ...template, Resources: Object.fromEntries(kept) };
      writeFileSync(join(folder, basename(file)), JSON.stringify(ruled, null, 1));
    }
    return findingsIn(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function findingsIn(folder: string): string[] {
  const how = ['--framework', 'cloudformation', '--skip-download', '--compact', '--quiet', '--output', 'json'];
  const argv = ['-m', 'checkov.main', ...how, '--directory', folder];
  const { stdout, stderr } = spawnSync(join(ROOT, '.lab/venv/bin/python'), argv, {
    encoding: 'utf8',
    cwd: folder,
    maxBuffer: 1 << 28,
    // Installed without being compiled: an environment that forbids Python to keep what it compiles, as in images, would pay at each start.
    env: { ...process.env, PYTHONPATH: PACKAGES, LOG_LEVEL: 'ERROR', PYTHONDONTWRITEBYTECODE: '' },
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
