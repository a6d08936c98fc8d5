// Rewrites every file below a directory with `lfs migrate`, a bounded number at a time, to get the file system's present compression. A journal lists
// the finished files: after an interruption only the rest is done.
//
// usage: node recompress.mjs DIR JOURNAL CONCURRENCY SECONDS keep|default [survey]
//   SECONDS: a file that takes longer is given up · keep: each file keeps its layout, default: it gets FSx's · survey: only counts
//
// stdout, one JSON object a line:
//   {"event":"progress", found, complete, done, failed, leftAlone, released, unknown, skipped, remaining, ownLayout, logicalBytes, dataBytes,
//    bytesBefore, bytesAfter, seconds}
//   {"event":"end", state:"done|interrupted", …the same…, journal, failures:[{path, reason, next}], nextSteps:[{files, next}]}
// `found` is the number of files, each of which is in one of: done (rewritten, in this and in earlier sessions), failed, leftAlone (a rewriting would
// lose its layout), released (to S3), unknown (its layout), skipped (empty, or removed meanwhile), remaining. ownLayout counts files with another layout
// than FSx's default, where that is asked for. Byte counts are of what is done: logicalBytes are sizes, dataBytes the same without holes, bytesBefore
// and bytesAfter what the disks hold. Failures names the first of those failed, left alone or unknown, nextSteps counts all of them by what to do about
// them. A name that is not UTF-8 is shown with \xNN.
//
// The first SIGINT or SIGTERM finishes the files at hand, a second one breaks them off.
// Status: 0 all done · 1 some files failed, were left alone or have an unknown layout, or it was interrupted

import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

const [directory, journal, ...numbers] = process.argv.slice(2);
const [concurrency, seconds] = numbers.slice(0, 2).map(Number);
const [layout, survey] = numbers.slice(2);

/** Bytes of one block in the count of stat(2). */
const BLOCK = 512;
/** Files in the queue; one is drawn at random, since neighbours on one target would queue up there. */
const WAITING = 1000;
/** Failures that are named at the end. */
const NAMED_FAILURES = 20;

/** Components of FSx's default layout: end in the words of lfs, in bytes, and stripe count. */
const DEFAULT_LAYOUT = [
  ['100M', String(100 * 2 ** 20), 1],
  ['10G', String(10 * 2 ** 30), 8],
  ['100G', String(100 * 2 ** 30), 16],
  ['-1', 'EOF', 32],
];

const AGAIN = 'run the same command again, it does the rest';
const NOT_ALLOWED =
  'run it as root; if it is root, lsattr shows whether the file is immutable (i) or append-only (a): chattr -i lets it be rewritten, or chattr -a';
/** Next steps for a file, by errno: the exit status of `lfs migrate`, and the code of a Node.js error. */
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
/** Files of this session, by inode number. */
const met = new Set();
/** Sizes and blocks of those that are done, by inode number. */
const finished = new Map();
/** Blocks of files that were broken off: they may have been rewritten just before. */
const begun = new Map();
const total = {
  ...{ found: 0, done: 0, failed: 0, leftAlone: 0, released: 0, unknown: 0, skipped: 0, ownLayout: 0 },
  ...{ logicalBytes: 0, dataBytes: 0, bytesBefore: 0, bytesAfter: 0 },
};
const failures = [];
const nextSteps = new Map();
const running = new Set();
const children = new Set();
const waiting = [];
/** Files that wait were found by `lfs find`: the walk has met most of them before. */
let listing = true;
let complete = false;
let interrupted = false;
let brokenOff = false;
let wake = () => {};

function say(event, more = {}) {
  const { done, failed, leftAlone, released, unknown, skipped } = total;
  const found = total.found + (listing ? waiting.length : 0);
  const remaining = found - (done + failed + leftAlone + released + unknown + skipped);
  const counts = { ...total, found, remaining, complete };
  process.stdout.write(`${JSON.stringify({ event, ...counts, seconds: (Date.now() - started) / 1000, ...more })}\n`);
}

function count({ size, before, after }) {
  total.done += 1;
  total.logicalBytes += size;
  // A hole takes no space before and after, so the larger count is the file's data: holes are not compression.
  total.dataBytes += Math.min(size, Math.max(before, after));
  total.bytesBefore += before;
  total.bytesAfter += after;
}

const note = (entry) => appendFileSync(journal, `${JSON.stringify(entry)}\n`);

// A line that a crash cut off is removed: its file is done once more, which does no harm.
function readJournal() {
  if (!existsSync(journal)) return;
  const text = readFileSync(journal, 'utf8');
  const whole = text.lastIndexOf('\n') + 1;
  if (whole < text.length && !survey) truncateSync(journal, Buffer.byteLength(text.slice(0, whole)));
  for (const line of text.slice(0, whole).split('\n')) {
    if (line === '') continue;
    const { inode, size, before, after } = JSON.parse(line);
    if (after === undefined) begun.set(inode, { size, before });
    else finished.set(inode, { size, before, after });
  }
}

/** Lustre inode numbers need 64 bits; they stay the same when a file is migrated, for hard links as well. */
const look = (path) => lstat(path, { bigint: true });

/** Until the data are written out, the client that wrote them has an old block count. */
async function lookAfterSync(path) {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return look(path);
}

/** In a separate process group, which Ctrl-C does not reach. */
function start(words, stdio) {
  const child = spawn(words[0], words.slice(1), { stdio, detached: true });
  children.add(child);
  child.on('close', () => children.delete(child));
  return child;
}

function end(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended already, or could not be started.
  }
}

/** A name as bytes, since it need not be UTF-8: the arguments of a child of Node.js are, so bash reads it and becomes the program. */
const ON_NAME = 'IFS= read -r -d "" name; exec "$@" "$name"';
const WITH_ITS_LAYOUT = 'IFS= read -r -d "" name; exec "$@" --copy="$name" "$name"';

/**
 * Runs a program on a file.
 * @returns what it printed, and why it failed: `null`, or the reason, what to do, and whether it was `killed` on the way
 */
function run(words, name, script = ON_NAME) {
  return new Promise((resolve) => {
    const child = start(['bash', '-c', script, words[0], ...words], ['pipe', 'pipe', 'pipe']);
    let [printed, said, late] = ['', '', false];
    const timer = setTimeout(() => {
      late = true;
      end(child, 'SIGKILL');
    }, seconds * 1000);
    child.stdout.setEncoding('latin1').on('data', (chunk) => {
      printed += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const finish = (failure) => {
      clearTimeout(timer);
      resolve({ printed, failure });
    };
    child.on('error', (error) => finish({ reason: error.message, next: NEXT_OTHERWISE }));
    child.on('close', (status, signal) => {
      if (late)
        finish({
          reason: `took more than ${seconds} s`,
          next: 'give a file longer with FSXBENCH_RECOMPRESS_SECONDS',
          killed: true,
        });
      else if (status === 0) finish(null);
      else finish({ ...reasonOf(words, said, status, signal), status, killed: signal !== null });
    });
    // It may have ended before it read its name.
    child.stdin.on('error', () => {});
    child.stdin.end(Buffer.concat([name, Buffer.of(0)]));
  });
}

function reasonOf(words, said, status, signal) {
  const lines = said.trimEnd().split('\n');
  const unknown = lines.find((line) => line.includes("option '--copy"));
  if (unknown !== undefined)
    return {
      reason: unknown,
      next: "this client's lfs cannot keep a layout: update the Lustre client, or take FSx's layout with --layout default",
    };
  return {
    // The last line has the cause, the earlier ones the context.
    reason: lines.at(-1) || `${words.slice(0, 2).join(' ')} ended with ${signal ?? `status ${status}`}`,
    next: NEXT_STEPS[status] ?? NEXT_OTHERWISE,
  };
}

const NEW_LAYOUT = DEFAULT_LAYOUT.flatMap(([words, , stripes]) => ['-E', words, '-c', String(stripes)]);

async function migrate(name) {
  const words = ['lfs', 'migrate', '-n'];
  const { failure } =
    layout === 'keep' ? await run(words, name, WITH_ITS_LAYOUT) : await run([...words, ...NEW_LAYOUT], name);
  if (failure?.next !== NOT_ALLOWED) return failure;
  // Both attributes are refused in the same words.
  const [flags = ''] = (await run(['lsattr', '-d'], name)).printed.trimStart().split(' ');
  const [is, option] = flags.includes('a') ? ['append-only', '-a'] : ['immutable', '-i'];
  if (!/[ai]/.test(flags)) return failure;
  return { ...failure, next: `it is ${is}: chattr ${option} lets it be rewritten, then ${AGAIN}` };
}

/**
 * Why `lfs migrate` would make another file of it, and what to do; `null` where it would not. On a mirrored file it fails and leaves
 * the mirrors stale; data that a layout keeps on the metadata target would come to lie on object targets.
 */
function wouldLose(shown) {
  const mirrors = Number(/lcm_mirror_count:\s*(\d+)/.exec(shown)?.[1] ?? 1);
  if (mirrors > 1)
    return {
      reason: `it has ${mirrors} mirrors, which lfs migrate does not rewrite: left as it is`,
      next: 'take its other mirrors away (lfs mirror split -d), run the same command again, and mirror it again (lfs mirror extend)',
    };
  if (/lmm_pattern:\s*mdt/.test(shown))
    return {
      reason: 'its first component is on the metadata target (DoM): left as it is',
      next: 'rewrite these files with a layout that has that component: lfs migrate -n -E 64K -L mdt -E -1 -c 1 FILE',
    };
  return null;
}

const valuesOf = (shown, field) =>
  [...shown.matchAll(new RegExp(`${field}:\\s+(\\S+)`, 'g'))].map(([, value]) => value);

/** A component that holds data has at most as many stripes as there are targets. */
function isDefaultLayout(shown) {
  const counts = valuesOf(shown, 'lmm_stripe_count').map(Number);
  return (
    valuesOf(shown, 'lcme_extent.e_end').join() === DEFAULT_LAYOUT.map(([, bytes]) => bytes).join() &&
    counts.every((stripes, index) => stripes > 0 && stripes <= DEFAULT_LAYOUT[index][2]) &&
    valuesOf(shown, 'lmm_stripe_size').every((bytes) => bytes === String(2 ** 20)) &&
    valuesOf(shown, 'lmm_pattern').every((pattern) => pattern === 'raid0')
  );
}

/** `released`, and before Lustre 2.11 the highest bit of a number. */
const isReleased = (shown) => valuesOf(shown, 'lmm_pattern').some((pattern) => /released|^[89a-f]\w{7}$/.test(pattern));

/** A name for people and for the journal: as it is where it is UTF-8 and printable on one line of JSON. */
function printable(name) {
  const text = name.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(name)) return text;
  return name
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function fail(path, { reason, next }, kind) {
  if (kind !== undefined) total[kind] += 1;
  nextSteps.set(next, (nextSteps.get(next) ?? 0) + 1);
  if (failures.length < NAMED_FAILURES) failures.push({ path, reason, next });
  process.stderr.write(`recompress: warning: ${path}: ${reason}\n`);
}

/** @param listed `lfs find` says that it is not released; what it leaves out is released, or has a layout that this client does not know yet */
async function rewrite(name, listed) {
  const path = printable(name);
  let counted = 0;
  try {
    const { ino, size } = await look(name);
    const inode = String(ino);
    // A second name of a file is not a second file.
    if (met.has(inode)) return;
    met.add(inode);
    total.found += 1;
    counted = 1;
    const already = finished.get(inode);
    if (already !== undefined) return count(already);
    if (size === 0n) {
      total.skipped += 1;
      return;
    }
    const { printed, failure } = await run(['lfs', 'getstripe'], name);
    if (failure !== null) return await explain(name, path, failure);
    if (isReleased(printed)) {
      total.released += 1;
      return;
    }
    if (!listed && !printed.includes('stripe_count')) {
      const reason = 'lfs find leaves it out and lfs getstripe shows no layout: left as it is';
      return fail(path, { reason, next: `read the first byte of these files, then ${AGAIN}` }, 'unknown');
    }
    const lost = wouldLose(printed);
    if (lost !== null) return fail(path, lost, 'leftAlone');
    if (layout === 'default' && printed.includes('stripe_count') && !isDefaultLayout(printed)) total.ownLayout += 1;
    if (!survey) await rewriteNow(name, path, inode);
  } catch (error) {
    total.found += 1 - counted;
    // Removed meanwhile: nothing is left to rewrite.
    if (error.code === 'ENOENT') total.skipped += 1;
    else fail(path, { reason: error.message, next: NEXT_STEPS[-error.errno] ?? NEXT_OTHERWISE }, 'failed');
  }
}

async function rewriteNow(name, path, inode) {
  const { size, blocks } = await lookAfterSync(name);
  const entry = { inode, path, size: Number(size), before: Number(blocks) * BLOCK };
  const earlier = begun.get(inode);
  if (earlier?.size === entry.size) entry.before = Math.max(entry.before, earlier.before);
  const failure = await migrate(name);
  if (failure !== null) {
    // It may have been swapped just before: what it had is noted, so the next session still knows what was saved.
    if (failure.killed) note(entry);
    return explain(name, path, failure);
  }
  entry.after = Number((await lookAfterSync(name)).blocks) * BLOCK;
  note(entry);
  count(entry);
}

async function explain(name, path, failure) {
  // One that is not there any more has failed at nothing.
  await look(name);
  // It is done another time.
  if (!brokenOff) fail(path, failure, 'failed');
}

/** Rewrites the files that a program lists, and says whether it listed all. */
async function rewriteListed(words) {
  const listed = listing;
  const child = start(words, ['ignore', 'pipe', 'inherit']);
  let rest = Buffer.alloc(0);
  let ended = null;
  child.stdout.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let zero = rest.indexOf(0); zero >= 0; zero = rest.indexOf(0)) {
      waiting.push(rest.subarray(0, zero));
      rest = rest.subarray(zero + 1);
    }
    if (waiting.length >= WAITING) child.stdout.pause();
    wake();
  });
  child.on('error', (error) => {
    ended = error.message;
    wake();
  });
  child.on('close', (status, signal) => {
    ended ??= status ?? signal;
    wake();
  });
  while (running.size > 0 || (!interrupted && (waiting.length > 0 || ended === null))) {
    while (!interrupted && running.size < concurrency && waiting.length > 0) {
      const index = Math.floor(Math.random() * waiting.length);
      const [name] = waiting.splice(index, 1);
      const task = rewrite(name, listed).finally(() => {
        running.delete(task);
        wake();
      });
      running.add(task);
    }
    if (waiting.length < WAITING) child.stdout.resume();
    const woken = new Promise((resolve) => {
      wake = resolve;
    });
    if (running.size > 0 || ended === null) await Promise.race([woken, new Promise((r) => setTimeout(r, 1000))]);
  }
  if (interrupted) end(child, 'SIGTERM');
  else if (ended !== 0)
    fail(directory, { reason: `${words.slice(0, 2).join(' ')} ended with ${ended}`, next: NEXT_OTHERWISE });
  return ended === 0;
}

function stop() {
  // Does not wait for what hangs in the kernel.
  if (brokenOff) process.exit(1);
  if (!interrupted) process.stderr.write('recompress: finishing the files at hand; once more breaks them off\n');
  else {
    brokenOff = true;
    for (const child of children) end(child, 'SIGTERM');
  }
  interrupted = true;
  wake();
}

async function main() {
  readJournal();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // The process that started this one is gone.
  process.stdout.on('error', () => interrupted || stop());
  process.stderr.on('error', () => {});
  const timer = setInterval(() => say('progress'), 1000);
  // Released files would be fetched from S3 (https://docs.aws.amazon.com/fsx/latest/LustreGuide/lfs-migrate-ts.html). lfs also leaves out, uncounted,
  // files whose layout the client lacks, so a walk counts the files.
  const listed = await rewriteListed(['lfs', 'find', directory, '-type', 'f', '!', '-L', 'released', '--print0']);
  if (!interrupted) {
    listing = false;
    complete = (await rewriteListed(['find', directory, '-xdev', '-type', 'f', '-print0'])) && listed;
  }
  clearInterval(timer);
  const steps = [...nextSteps].map(([next, files]) => ({ files, next })).sort((a, b) => b.files - a.files);
  say('end', { state: interrupted ? 'interrupted' : 'done', journal, failures, nextSteps: steps });
  process.exitCode = interrupted || failures.length > 0 ? 1 : 0;
}

await main();
