import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Records of runs that tests start are in a separate folder, not the user's.
const state = mkdtempSync(join(tmpdir(), 'fsxbench-state-'));
process.env.XDG_STATE_HOME = state;
afterAll(() => rmSync(state, { recursive: true, force: true }));
