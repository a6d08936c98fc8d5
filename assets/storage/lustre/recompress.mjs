// Rewrites every file below a directory by `lfs migrate`, a bounded number at a time, so that it takes on the compression
// that the file system has now. What is done is in a journal: after an interruption only the rest is done.
//
// usage: node recompress.mjs DIR JOURNAL CONCURRENCY SECONDS LAYOUT…
//   SECONDS: a file that takes longer is given up · LAYOUT: words for `lfs migrate`
//
// stdout, one JSON object a line:
//   {"event":"progress", found, complete, done, failed, leftAlone, skipped, logicalBytes, dataBytes, bytesBefore, bytesAfter, seconds}
//   {"event":"end", state:"done|interrupted", …the same…, journal, failures:[{path, reason, next}], nextSteps:[{files, next}]}
// Byte counts are of what is done, in this and in earlier sessions: logicalBytes are sizes, dataBytes the same without
// holes, bytesBefore and bytesAfter what the disks hold. leftAlone are files whose layout a rewriting would lose. Failures
// names the first of both, nextSteps counts all of them by what to do about them. A name that is not UTF-8 is shown with \xNN.
// Status: 0 all done · 1 some files failed or were left alone, or it was interrupted

import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

const [directory, journal, ...numbers] = process.argv.slice(2);
const [concurrency, seconds] = numbers.slice(0, 2).map(Number);
const layout = numbers.slice(2);

/** Bytes of one block in the count of stat(2). */
const BLOCK = 512;
/** Files waiting for their turn; one is drawn from them at random, so that neighbours in one target do not queue up there. */
const WAITING = 1000;
/** Failures that are named at the end. */
const NAMED_FAILURES = 20;

const AGAIN = 'run the same command again, it does the rest';
const NOT_ALLOWED =
  'run it as root; if it is root, lsattr shows whether the file is immutable (i), and chattr -i lets it be rewritten';
/** Next steps for a file, by errno: the exit status of `lfs migrate`, and the code of an error of Node.js. */
const NEXT_STEPS = {
  1: NOT_ALLOWED,
  11: `it was written to meanwhile: ${AGAIN}`,
  13: NOT_ALLOWED,
  16: `it is open for writing: close it, then ${AGAIN}`,
  26: `it is a program that runs: end it, then ${AGAIN}`,
  28: `make room on the file system, then ${AGAIN}`,
};
const NEXT_OTHERWISE = 'look at the reason; the same command tries it once more';

const started = Date.now();
const finished = new Set();
const total = {
  ...{ found: 0, done: 0, failed: 0, leftAlone: 0, skipped: 0 },
  ...{ logicalBytes: 0, dataBytes: 0, bytesBefore: 0, bytesAfter: 0 },
};
const failures = [];
const nextSteps = new Map();
let complete = false;
let interrupted = false;

function say(event, more = {}) {
  const line = { event, ...total, complete, seconds: (Date.now() - started) / 1000, ...more };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function count({ size, before, after }) {
  total.done += 1;
  total.logicalBytes += size;
  // A hole takes nothing before and after, so that the larger of the two counts is what a file has of data: holes are no compression.
  total.dataBytes += Math.min(size, Math.max(before, after));
  total.bytesBefore += before;
  total.bytesAfter += after;
}

// A line that a crash cut off is removed: its file is done once more, which does no harm.
function readJournal() {
  if (!existsSync(journal)) return;
  const text = readFileSync(journal, 'utf8');
  const whole = text.lastIndexOf('\n') + 1;
  if (whole < text.length) truncateSync(journal, Buffer.byteLength(text.slice(0, whole)));
  for (const line of text.slice(0, whole).split('\n')) {
    if (line === '') continue;
    const entry = JSON.parse(line);
    finished.add(entry.inode);
    count(entry);
  }
}

/** Inode numbers of Lustre need 64 bits; they stay the same when a file is migrated, for hard links as well. */
const look = (path) => lstat(path, { bigint: true });

/** Until the data are written out, the count of blocks is an old one on the client that wrote them. */
async function lookAfterSync(path) {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return look(path);
}

/** A name as bytes, since it need not be UTF-8: the arguments of a child of Node.js are, so bash reads it and becomes lfs. */
const LFS_ON_NAME = 'IFS= read -r -d "" name; exec lfs "$@" "$name"';

/** Runs lfs on a file. @returns what it printed, and why it failed: `null`, or the reason and what to do */
function lfs(words, name) {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', LFS_ON_NAME, 'lfs', ...words], { stdio: ['pipe', 'pipe', 'pipe'] });
    let [printed, said, late] = ['', '', false];
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, seconds * 1000);
    child.stdout.setEncoding('latin1').on('data', (chunk) => {
      printed += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const end = (failure) => {
      clearTimeout(timer);
      resolve({ printed, failure });
    };
    child.on('error', (error) => end({ reason: error.message, next: NEXT_OTHERWISE }));
    child.on('close', (status, signal) => {
      if (late)
        end({ reason: `took more than ${seconds} s`, next: 'give a file longer with FSXBENCH_RECOMPRESS_SECONDS' });
      else if (status === 0) end(null);
      // The last line has the cause; those before it tell how it came to it.
      else
        end({
          reason: said.trimEnd().split('\n').at(-1) || `lfs ${words[0]} ended with ${signal ?? `status ${status}`}`,
          next: NEXT_STEPS[status] ?? NEXT_OTHERWISE,
        });
    });
    // It may have ended before it read its name.
    child.stdin.on('error', () => {});
    child.stdin.end(Buffer.concat([name, Buffer.of(0)]));
  });
}

/**
 * Why `lfs migrate` would make another file of it, and what to do; `null` where it would not. On a mirrored file it fails and leaves
 * the mirrors stale; data that a layout keeps on the metadata target would come to lie on object targets.
 */
function wouldLose(layoutOfFile) {
  const mirrors = Number(/lcm_mirror_count:\s*(\d+)/.exec(layoutOfFile)?.[1] ?? 1);
  if (mirrors > 1)
    return {
      reason: `it has ${mirrors} mirrors, which lfs migrate does not rewrite: left as it is`,
      next: 'take its other mirrors away (lfs mirror split -d), run the same command again, and mirror it again (lfs mirror extend)',
    };
  if (/lmm_pattern:\s*mdt/.test(layoutOfFile) && !layout.includes('mdt'))
    return {
      reason: 'its first component lies on the metadata target (DoM), and would not any more: left as it is',
      next: 'give these files a layout with that component: FSXBENCH_RECOMPRESS_LAYOUT="-n -E 64K -L mdt -E -1 -c 1", then run the same command again',
    };
  return null;
}

/** A name for people and for the journal: as it is where it is UTF-8 and printable on one line of JSON. */
function printable(name) {
  const text = name.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(name)) return text;
  return name
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function fail(path, { reason, next }, kind = 'failed') {
  total[kind] += 1;
  nextSteps.set(next, (nextSteps.get(next) ?? 0) + 1);
  if (failures.length < NAMED_FAILURES) failures.push({ path, reason, next });
  process.stderr.write(`recompress: warning: ${path}: ${reason}\n`);
}

async function rewrite(name) {
  const path = printable(name);
  try {
    const { ino, size } = await look(name);
    const inode = String(ino);
    if (finished.has(inode)) return;
    if (size === 0n) {
      total.skipped += 1;
      return;
    }
    // Before the work, so that a second name of the file is not worked on at the same time.
    finished.add(inode);
    const shown = await lfs(['getstripe'], name);
    const lost = shown.failure === null ? wouldLose(shown.printed) : null;
    if (lost !== null) return fail(path, lost, 'leftAlone');
    const before = await lookAfterSync(name);
    const failure = shown.failure ?? (await lfs(['migrate', ...layout], name)).failure;
    if (failure !== null) {
      finished.delete(inode);
      // One that is there no more has failed at nothing.
      await look(name);
      // Ctrl-C reaches lfs, too: a file keeps its old layout then, and is done another time.
      return interrupted ? undefined : fail(path, failure);
    }
    const after = await lookAfterSync(name);
    const entry = {
      inode,
      path,
      size: Number(before.size),
      before: Number(before.blocks) * BLOCK,
      after: Number(after.blocks) * BLOCK,
    };
    appendFileSync(journal, `${JSON.stringify(entry)}\n`);
    count(entry);
  } catch (error) {
    // Removed while we were at it: nothing is left to rewrite.
    if (error.code === 'ENOENT') total.skipped += 1;
    else fail(path, { reason: error.message, next: NEXT_STEPS[-error.errno] ?? NEXT_OTHERWISE });
  }
}

function findFiles() {
  // Released files would be fetched from S3 (https://docs.aws.amazon.com/fsx/latest/LustreGuide/lfs-migrate-ts.html).
  return spawn('lfs', ['find', directory, '-type', 'f', '!', '-L', 'released', '--print0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function main() {
  readJournal();
  const waiting = [];
  const running = new Set();
  const find = findFiles();
  let rest = Buffer.alloc(0);
  let wake = () => {};
  let findStatus = null;
  find.stdout.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      waiting.push(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      total.found += 1;
    }
    if (waiting.length >= WAITING) find.stdout.pause();
    wake();
  });
  find.on('error', (error) => {
    findStatus = error.message;
    wake();
  });
  find.on('close', (status, signal) => {
    findStatus ??= status ?? signal;
    complete = status === 0;
    wake();
  });
  const stop = () => {
    interrupted = true;
    find.kill('SIGTERM');
    wake();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const timer = setInterval(() => say('progress'), 1000);
  while (running.size > 0 || (!interrupted && (waiting.length > 0 || findStatus === null))) {
    while (!interrupted && running.size < concurrency && waiting.length > 0) {
      const index = Math.floor(Math.random() * waiting.length);
      const [name] = waiting.splice(index, 1);
      const task = rewrite(name).finally(() => {
        running.delete(task);
        wake();
      });
      running.add(task);
    }
    if (waiting.length < WAITING) find.stdout.resume();
    const woken = new Promise((resolve) => {
      wake = resolve;
    });
    if (running.size > 0 || findStatus === null) await Promise.race([woken, new Promise((r) => setTimeout(r, 1000))]);
  }
  clearInterval(timer);
  if (!interrupted && findStatus !== 0)
    fail(directory, { reason: `lfs find ended with ${findStatus}`, next: NEXT_OTHERWISE });
  const steps = [...nextSteps].map(([next, files]) => ({ files, next })).sort((a, b) => b.files - a.files);
  say('end', { state: interrupted ? 'interrupted' : 'done', journal, failures, nextSteps: steps });
  process.exitCode = interrupted || total.failed + total.leftAlone > 0 ? 1 : 0;
}

await main();
