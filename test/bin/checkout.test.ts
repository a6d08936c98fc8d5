import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sources';

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-checkout-'));

test('synth refuses a clone by Windows git, with what to do', () => {
  const root = join(folder, 'clone');
  const settings = ['core.autocrlf=true', 'core.symlinks=false'].flatMap((one) => ['--config', one]);
  execFileSync('git', ['clone', '--quiet', ...settings, ROOT, root]);
  // Uncommitted changes are also tested.
  for (const name of ['bin', 'lib', 'scripts']) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: join(folder, 'cdk.out') };
  const { status, stderr } = spawnSync(process.execPath, ['scripts/app.mjs'], { cwd: root, encoding: 'utf8', env });
  expect(status).toBe(1);
  expect(stderr).toContain("'assets/client/storage' must be a link, got a text file");
  expect(stderr).toContain('clone the project again on Linux, macOS or inside WSL');
});
