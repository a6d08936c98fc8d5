// How busy a client is, as one JSON object: see bin/client-load.

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';

const ROOT = process.env.FSXBENCH_ROOT ?? '';
/** The kernel counts processor time in hundredths of a second on every platform of ours (USER_HZ, proc(5)). */
const TICK = 100;
/** PF_KTHREAD of the kernel's include/linux/sched.h. */
const KERNEL_THREAD = 0x00200000;
/** Processes with less CPU time do not count as load. */
const LEAST_SECONDS = 0.05;
/** Marks all that the lab starts: the servers that replace a service, on the machine of its only client. */
const STAND_IN = 'FSXBENCH_LAB';
/** Marks all that the driver starts (bin/end-leftovers). */
const TOOL = 'FSXBENCH_RUN_FOLDER';
/** A client's own counters need no server; this is for one whose programs hang. */
const COUNTERS_MS = 5000;

function text(path) {
  try {
    return readFileSync(`${ROOT}${path}`, 'utf8');
  } catch {
    return null;
  }
}

/** Seconds that each process has worked, by pid, start and name; those of the kernel's own threads together. */
function processes() {
  const own = {};
  const parents = {};
  let kernel = 0;
  for (const pid of readdirSync(`${ROOT}/proc`)) {
    const line = /^\d+$/.test(pid) ? text(`/proc/${pid}/stat`) : null;
    if (line === null) continue;
    const close = line.lastIndexOf(')');
    const name = line.slice(line.indexOf('(') + 1, close).replace(/[^\w.:/-]/g, '_');
    // From field 3 on: state, parent, …, flags (9), …, user and system time (14, 15), …, start (22).
    const rest = line.slice(close + 2).split(' ');
    const seconds = (Number(rest[11]) + Number(rest[12])) / TICK;
    if (Number(rest[6]) & KERNEL_THREAD) kernel += seconds;
    else {
      parents[pid] = rest[1];
      own[pid] = { key: `${pid} ${rest[19]} ${name}`, name, seconds };
    }
  }
  return { own, parents, kernel };
}

/** This process and those that started it: the driver asks, or sshd brings its question. */
function askers(parents) {
  const found = new Set();
  for (let pid = String(process.pid); pid in parents && !found.has(pid); pid = parents[pid]) found.add(pid);
  return found;
}

/** True if a process is a server of the lab that this client belongs to: its work for the arm is the service's work, not background load. */
function standsIn(pid) {
  const lab = process.env[STAND_IN];
  if (lab === undefined) return false;
  const variables = (text(`/proc/${pid}/environ`) ?? '').split('\0');
  return variables.includes(`${STAND_IN}=${lab}`) && !variables.some((one) => one.startsWith(`${TOOL}=`));
}

const commandLine = (pid) => (text(`/proc/${pid}/cmdline`) ?? '').split('\0');

/** The name of a process is that of its first thread; Node.js calls it MainThread. */
const nameToShow = (pid, name) => (name === 'MainThread' ? basename(commandLine(pid)[0]) || name : name);

/** True if a process asks this very question: for another client of the run that is on this machine, such as a node of the lab. */
const asksToo = (pid) => commandLine(pid).includes(process.argv[1]);

/**
 * True if a process serves a file system in user space (https://docs.kernel.org/filesystems/fuse/fuse.html). Only root may know it of the processes
 * of others.
 */
function servesMounts(pid) {
  try {
    const folder = `${ROOT}/proc/${pid}/fd`;
    return readdirSync(folder).some((file) => readlinkSync(`${folder}/${file}`) === '/dev/fuse');
  } catch {
    return false;
  }
}

/** Seconds in which somebody, or everybody, waited for a resource: https://docs.kernel.org/accounting/psi.html. */
function stalled(resource, whom) {
  const total = new RegExp(`^${whom} .*total=(\\d+)`, 'm').exec(text(`/proc/pressure/${resource}`) ?? '')?.[1];
  return total === undefined ? null : Number(total) / 1e6;
}

/** The mount that a directory is on; `null` where the kernel names none. */
function mountOf(directory) {
  const mounts = (text('/proc/self/mountinfo') ?? '').split('\n').flatMap((line) => {
    const [front, back] = line.split(' - ');
    if (back === undefined) return [];
    const point = front.split(' ')[4].replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
    return directory === point || directory.startsWith(point === '/' ? '/' : `${point}/`)
      ? [{ point, number: front.split(' ')[2], type: back.split(' ')[0], source: back.split(' ')[1] }]
      : [];
  });
  // The last of the longest is what is mounted on top.
  return mounts.reduce((best, one) => (best === null || one.point.length >= best.point.length ? one : best), null);
}

/** The block devices below a mount, by number; a file system without any on this machine has a number of none. */
function devicesBelow({ number, source, type }) {
  return type === 'btrfs' ? btrfsDevices(source.split('/').at(-1)) : [number];
}

/** Btrfs has its own device number, and may be on several devices: https://docs.kernel.org/filesystems/btrfs.html. */
function btrfsDevices(device) {
  try {
    for (const id of readdirSync(`${ROOT}/sys/fs/btrfs`)) {
      const own = /^[0-9a-f]{8}-/.test(id) ? readdirSync(`${ROOT}/sys/fs/btrfs/${id}/devices`) : [];
      if (own.includes(device)) return own.map((name) => text(`/sys/class/block/${name}/dev`)?.trim() ?? name);
    }
  } catch {}
  return null;
}

/**
 * Bytes and requests that the devices have served since boot: sectors of 512 bytes, whatever the device's own
 * (https://docs.kernel.org/admin-guide/iostats.html).
 */
function moved(mount) {
  const wanted = mount === null ? null : devicesBelow(mount);
  if (wanted === null) return null;
  const lines = (text('/proc/diskstats') ?? '').split('\n').map((line) => line.trim().split(/\s+/));
  const own = lines.filter(([major, minor]) => wanted.includes(`${major}:${minor}`));
  if (own.length < wanted.length) return null;
  const sum = (field) => own.reduce((total, fields) => total + Number(fields[field]), 0);
  return { read: 512 * sum(5), written: 512 * sum(9), reads: sum(3), writes: sum(7) };
}

/** Runs a program. Resolves with its output, and the reason of a failure or `null`. */
const output = (program, argv) =>
  new Promise((resolve) => {
    execFile(
      program,
      argv,
      { timeout: COUNTERS_MS, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        const failure =
          error?.code === 'ENOENT' ? `there is no ${program}` : stderr.trim().split('\n')[0] || error?.message;
        resolve({ text: stdout, failure: error === null ? null : failure });
      },
    );
  });

/**
 * The module that reads a file system type's counters: the storage's of that name, or lib/counters for a kernel client that several storages share;
 * `null` without one. A package lacks the link to the folder next to the clients': npm leaves links out.
 */
async function moduleOf(type) {
  const own = ['../storage/', '../../storage/'].map(
    (folder) => new URL(`${folder}${encodeURIComponent(type)}/counters.mjs`, import.meta.url),
  );
  const found = own.find((url) => existsSync(url));
  if (found !== undefined) return import(found);
  const shared = new URL('counters/', import.meta.url);
  for (const file of readdirSync(shared)) {
    const module = await import(new URL(file, shared));
    if (module.TYPES.includes(type)) return module;
  }
  return null;
}

/** Reads the counters of a file system's client; `null` with a reason if there are none. */
async function fileSystemCounters(mount, device) {
  if (mount === null) return { counters: null, countersReason: 'the kernel names no mount of this directory' };
  const module = await moduleOf(mount.type);
  if (module !== null) return module.counters(mount, { output, text });
  if (device === null)
    return { counters: null, countersReason: `no counters are known of ${mount.type} on ${mount.source}` };
  return {
    counters: [
      { name: 'device_bytes_read', unit: 'B', value: device.read, role: 'read' },
      { name: 'device_bytes_written', unit: 'B', value: device.written, role: 'written' },
      { name: 'device_reads', unit: '1', value: device.reads },
      { name: 'device_writes', unit: '1', value: device.writes },
    ],
  };
}

const now = () => Number((text('/proc/uptime') ?? '0').split(' ')[0]);

/** Reads the counters of this machine since boot, without the processes that ask. */
async function counters(mount, { own, parents, kernel }) {
  const device = moved(mount);
  const asking = askers(parents);
  const cpus = (text('/proc/stat') ?? '').split('\n').filter((line) => /^cpu/.test(line));
  // user, nice, system, idle, iowait, irq, softirq, steal
  const times = cpus[0]
    .trim()
    .split(/\s+/)
    .slice(1, 9)
    .map((ticks) => Number(ticks) / TICK);
  return {
    bootId: text('/proc/sys/kernel/random/boot_id')?.trim() ?? null,
    mount: mount?.number ?? null,
    uptime: now(),
    processors: cpus.length - 1,
    busySeconds: times[0] + times[1] + times[2] + times[5] + times[6],
    ioWaitSeconds: times[4],
    stealSeconds: times[7],
    loadAverage: Number((text('/proc/loadavg') ?? '0').split(' ')[0]),
    cpuStallSeconds: stalled('cpu', 'some'),
    memoryStallSeconds: stalled('memory', 'full'),
    ioStallSeconds: stalled('io', 'some'),
    device: device && { read: device.read, written: device.written },
    ...(await fileSystemCounters(mount, device)),
    kernelSeconds: kernel,
    processSeconds: Object.fromEntries(
      Object.entries(own).flatMap(([pid, { key, seconds }]) =>
        seconds < LEAST_SECONDS || asking.has(pid) ? [] : [[key, seconds]],
      ),
    ),
  };
}

/**
 * Processes that work in the next `milliseconds`: only watching shows them. The client of a user-space mount is part of the storage, as kernel
 * threads are.
 */
async function watch(milliseconds, first, mount) {
  if (milliseconds === 0) return { others: [], othersProcessors: null, serviceProcessors: null };
  const from = now();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const [second, to] = [processes(), now()];
  const asking = askers(second.parents);
  const working = Object.entries(second.own).flatMap(([pid, { key, name, seconds }]) => {
    const before = first.own[pid]?.key === key ? first.own[pid].seconds : 0;
    if (asking.has(pid) || seconds <= before || asksToo(pid)) return [];
    if (/^fuse/.test(mount?.type ?? '') && servesMounts(pid)) return [];
    const processors = (seconds - before) / (to - from);
    return [{ name: nameToShow(pid, name), processors, service: standsIn(pid) }];
  });
  const others = working.filter(({ service }) => !service);
  const sumOf = (some) => some.reduce((sum, { processors }) => sum + processors, 0);
  // Four of one name are one load.
  const byName = new Map();
  for (const one of others) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  return {
    others: [...byName]
      .map(([name, own]) => ({ name, processors: sumOf(own) }))
      .sort((a, b) => b.processors - a.processors)
      .slice(0, 5),
    othersProcessors: sumOf(others),
    serviceProcessors: sumOf(working.filter(({ service }) => service)),
  };
}

const [, , directory, watchMs = '500'] = process.argv;
const first = processes();
const mount = directory === undefined ? null : mountOf(realpathSync(directory));
const counted = await counters(mount, first);
const seen = await watch(Number(watchMs), first, mount);
process.stdout.write(`${JSON.stringify({ schema: 'fsxbench.load/1', ...counted, ...seen })}\n`);
