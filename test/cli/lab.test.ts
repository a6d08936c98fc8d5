import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metadataBench } from '../../lib/benchmark/metadata';
import { newState } from '../../lib/lab/state';
import { fsxbenchIn } from './support';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fsxbench-lab-'));
  mkdirSync(join(root, '.lab'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('of a lab that is half there, the status says how it is cleared', async () => {
  writeFileSync(join(root, '.lab', 'state.json'), JSON.stringify(newState()));
  const { status, out } = await fsxbenchIn({ root }, ['lab', 'status']);
  expect(status).toBe(0);
  expect(out).toMatch(/^the lab is broken\n {2}the last start was interrupted\n {2}the emulator is not running\n/);
  expect(out).toContain("'npx fsxbench lab down'");
});

test('of no lab, the status names no next step', async () => {
  expect((await fsxbenchIn({ root }, ['lab', 'status'])).out).toBe('the lab is down\n');
});

test('a benchmark without a scale model refuses one, before anything is started', async () => {
  jest.replaceProperty(metadataBench.lab as { modelled?: boolean }, 'modelled', false);
  const { status, err } = await fsxbenchIn({ root }, ['lab', 'up', '--benchmark', 'MetadataBench', '--model']);
  expect(status).not.toBe(0);
  expect(err).toContain("'model' must be absent with MetadataBench, which has no scale model, got 'its own'");
});
