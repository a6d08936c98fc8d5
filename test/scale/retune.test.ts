import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tuneAgain } from '../../lib/scale/retune';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-retune-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function systemctl(body: string): string {
  const path = join(folder, 'systemctl');
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('has the unit of a client make its settings again, for the new metadata targets, too', async () => {
  const unit = join(folder, 'fsxbench-tuning.service');
  writeFileSync(unit, '');
  expect(await tuneAgain({ unit, systemctl: systemctl(`echo "$*" >${folder}/called`) })).toBeNull();
  expect(readFileSync(join(folder, 'called'), 'utf8')).toBe('restart fsxbench-tuning.service\n');
});

test('does nothing on a machine that fsxbench did not set up', async () => {
  expect(await tuneAgain({ unit: join(folder, 'none'), systemctl: systemctl('exit 1') })).toBeNull();
});

test('says why it could not', async () => {
  const unit = join(folder, 'fsxbench-tuning.service');
  writeFileSync(unit, '');
  expect(await tuneAgain({ unit, systemctl: systemctl('echo Access denied >&2; exit 4') })).toMatch(
    /restart fsxbench-tuning\.service: Access denied$/,
  );
});
