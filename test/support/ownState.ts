import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Runs that tests start are remembered in a folder of their own, not in the user's.
const state = mkdtempSync(join(tmpdir(), 'fsxbench-state-'));
process.env.XDG_STATE_HOME = state;
afterAll(() => rmSync(state, { recursive: true, force: true }));
