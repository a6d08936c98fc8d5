import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sources';

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-checkout-'));

test('synth refuses a clone by Windows git, with the name of each file and what to do', () => {
  const root = join(folder, 'clone');
  const settings = ['core.autocrlf=true', 'core.symlinks=false'].flatMap((one) => ['--config', one]);
  execFileSync('git', ['clone', '--quiet', ...settings, ROOT, root]);
  // .gitattributes keeps these away, but not what an editor does.
  const scripts = ['assets/client/user-data.sh', 'assets/server/prelude.sh', 'assets/storage/lustre/efa'];
  for (const file of scripts) {
    expect(readFileSync(join(root, file), 'utf8')).not.toContain('\r');
    appendFileSync(join(root, file), 'true\r\n');
  }
  // Uncommitted changes are also tested.
  for (const name of ['bin', 'lib', 'scripts']) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: join(folder, 'cdk.out') };
  const { status, stderr } = spawnSync(process.execPath, ['scripts/app.mjs'], { cwd: root, encoding: 'utf8', env });
  expect(status).toBe(1);
  for (const file of scripts) expect(stderr).toContain(`'${file}' must have Linux line ends (LF), but has CR LF`);
  const links = [
    'assets/client/storage',
    'assets/client/server',
    'assets/client/lib/dask',
    'assets/storage/lustre-zfs/tune',
  ];
  for (const link of links) expect(stderr).toContain(`'${link}' must be a link, got a text file`);
  expect(stderr).toContain('clone the project again on Linux, macOS or inside WSL');
});
