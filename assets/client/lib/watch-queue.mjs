// Writes the state of a Slurm job to queue.json in the run's folder and the results bucket, until the job has left the queue. The head node runs it,
// or the command that watches the run, since a waiting job cannot report. Without an ADDRESS there is no bucket.
//
// watch-queue JOB FOLDER [ADDRESS]
//
// Shape: lib/schema/client.ts of the project. Environment: that of s3.mjs

import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const LOOK_EVERY_MS = 2_000;
/** Distinguishes a job that waits for hours from a head node that is gone. */
const SAY_EVERY_MS = 30_000;
/** A folder is gone if it was not writable for this time. */
const GIVE_UP_MS = 3_600_000;
/** squeue(1), "JOB STATE CODES": what a job leaves the queue with. */
const ENDED = new Set([
  ...[
    'BOOT_FAIL',
    'CANCELLED',
    'COMPLETED',
    'DEADLINE',
    'FAILED',
    'NODE_FAIL',
    'OUT_OF_MEMORY',
    'PREEMPTED',
    'REVOKED',
  ],
  ...['STOPPED', 'TIMEOUT'],
]);

const [job, folder, address] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: watch-queue JOB FOLDER [ADDRESS]\n');
  process.exit(1);
}

/** Returns the job's state in squeue's words; GONE once Slurm has forgotten the job, null while the controller does not answer. */
function look() {
  const fields = ['State', 'Reason', 'RestartCnt', 'NodeList'].map((name) => `${name}:|`).join(',');
  try {
    const text = execFileSync('squeue', ['--noheader', '--states=all', `--jobs=${job}`, `--Format=${fields}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 30_000,
    });
    const [state = '', reason = '', restarts = '', nodes = ''] = text.split('|').map((word) => word.trim());
    return state === '' ? { state: 'GONE' } : { state, reason, restarts: Number(restarts) || 0, nodes };
  } catch (error) {
    return /Invalid job id/.test(String(error.stderr)) ? { state: 'GONE' } : null;
  }
}

function say(found) {
  const { state, reason = '', restarts = 0, nodes = '' } = found;
  const ended = state === 'GONE' || ENDED.has(state);
  const document = { schema: 'fsxbench.queue/1', job, state, ended, reason, restarts, nodes };
  const file = join(folder, 'queue.json');
  // Of its own name: the watcher of an earlier job may not have ended yet, and the folder is shared by all nodes.
  const draft = `${file}.${randomUUID()}.new`;
  writeFileSync(draft, `${JSON.stringify({ ...document, updatedAt: new Date().toISOString() })}\n`, { flag: 'wx' });
  renameSync(draft, file);
  if (address === undefined) return ended;
  const s3 = fileURLToPath(new URL('s3.mjs', import.meta.url));
  const put = spawnSync(process.execPath, [s3, 'put', file, `${address}/queue.json`], { encoding: 'utf8' });
  if (put.status !== 0) process.stderr.write(`watch-queue: ${put.stderr}`);
  return ended;
}

for (let before = '', saidAt = 0, failingSince = null; ; ) {
  const found = look();
  const text = JSON.stringify(found);
  if (found !== null && (text !== before || Date.now() - saidAt > SAY_EVERY_MS)) {
    try {
      if (say(found)) break;
      [before, saidAt, failingSince] = [text, Date.now(), null];
    } catch (error) {
      // A quota may be exhausted, or a shared folder be away for a moment: nobody else would say how the job ends.
      process.stderr.write(`watch-queue: ${error.message}\n`);
      failingSince ??= Date.now();
      if (Date.now() - failingSince > GIVE_UP_MS) process.exit(1);
    }
  }
  await sleep(LOOK_EVERY_MS);
}
