// Rewrites every file below a directory by `lfs migrate`, a bounded number at a time, so that it takes on the compression
// that the file system has now. What is done is in a journal: after an interruption only the rest is done.
//
// usage: node recompress.mjs DIR JOURNAL CONCURRENCY SECONDS LAYOUT…
//   SECONDS: a file that takes longer is given up · LAYOUT: words for `lfs migrate`
//
// stdout, one JSON object a line:
//   {"event":"progress", found, complete, done, failed, skipped, logicalBytes, bytesBefore, bytesAfter, seconds}
//   {"event":"end", state:"done|interrupted", …the same…, journal, failures:[{path, reason}]}
// Byte counts are of what is done, in this and in earlier sessions; bytesBefore and bytesAfter are what the disks hold.
// Status: 0 all done · 1 some files failed, or it was interrupted

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

const started = Date.now();
const finished = new Set();
const total = { found: 0, done: 0, failed: 0, skipped: 0, logicalBytes: 0, bytesBefore: 0, bytesAfter: 0 };
const failures = [];
let complete = false;
let interrupted = false;

function say(event, more = {}) {
  const line = { event, ...total, complete, seconds: (Date.now() - started) / 1000, ...more };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function count({ size, before, after }) {
  total.done += 1;
  total.logicalBytes += size;
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

function migrate(path) {
  return new Promise((resolve) => {
    const child = spawn('lfs', ['migrate', ...layout, path], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, seconds * 1000);
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve(error.message);
    });
    child.on('close', (status) => {
      clearTimeout(timer);
      if (late) resolve(`took more than ${seconds} s`);
      else resolve(status === 0 ? null : said.split('\n')[0] || `lfs migrate ended with status ${status}`);
    });
  });
}

function fail(path, reason) {
  total.failed += 1;
  if (failures.length < NAMED_FAILURES) failures.push({ path, reason });
  process.stderr.write(`recompress: warning: ${path}: ${reason}\n`);
}

async function rewrite(name) {
  const path = name.toString('utf8');
  // The name must survive the way to lfs and into the journal.
  if (!Buffer.from(path, 'utf8').equals(name)) return fail(path, 'its name is not UTF-8');
  try {
    const before = await look(path);
    const inode = String(before.ino);
    if (finished.has(inode)) return;
    if (before.size === 0n) {
      total.skipped += 1;
      return;
    }
    // Before the work, so that a second name of the file is not worked on at the same time.
    finished.add(inode);
    const reason = await migrate(path);
    if (reason !== null) {
      finished.delete(inode);
      // Ctrl-C reaches lfs, too: a file keeps its old layout then, and is done another time.
      return interrupted ? undefined : fail(path, reason);
    }
    const after = await lookAfterSync(path);
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
    else fail(path, error.message);
  }
}

function findFiles() {
  // Released files would be fetched from S3 (guide/lfs-migrate-ts).
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
  find.on('close', (status) => {
    findStatus ??= status;
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
  if (!interrupted && findStatus !== 0) fail(directory, `lfs find ended with ${findStatus}`);
  say('end', { state: interrupted ? 'interrupted' : 'done', journal, failures });
  process.exitCode = interrupted || total.failed > 0 ? 1 : 0;
}

await main();
