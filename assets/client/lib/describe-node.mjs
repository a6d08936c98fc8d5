// The provenance of a client's numbers as one JSON object: see bin/describe-node.

import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { arch, cpus, hostname, release, totalmem } from 'node:os';
import { delimiter, join } from 'node:path';
import { imds } from './imds.mjs';

const LIMIT_MS = 1000 * Number(process.env.FSXBENCH_DESCRIBE_SECONDS ?? 10);
const ROOT = process.env.FSXBENCH_ROOT ?? '';
const VERSION_COMMANDS = {
  openmpi: ['mpirun', '--version'],
  fio: ['fio', '--version'],
  node: ['node', '--version'],
  python: ['python3', '--version'],
};

const notices = [];

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function readJson(path) {
  const text = readText(path);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    notices.push(`${path} is not JSON`);
    return null;
  }
}

/**
 * Standard output of a program; `null` when it is not there, fails, or takes too long. One that hangs in the kernel does
 * not even end on SIGKILL: it is let go, and nobody waits for it.
 */
function output(command, { evenIfFailed = false, withErrors = false, noticeErrors = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let text = '';
    let errors = '';
    const finish = (result, notice) => {
      clearTimeout(timer);
      if (notice) notices.push(`${command.join(' ')}: ${notice}`);
      if (noticeErrors) notices.push(...errors.split('\n').filter((line) => line.trim() !== ''));
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      resolve(result);
    };
    const timer = setTimeout(() => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
      finish(null, `no answer within ${LIMIT_MS / 1000} s, given up`);
    }, LIMIT_MS);
    child.stdout.setEncoding('utf8').on('data', (data) => {
      text += data;
    });
    child.stderr.setEncoding('utf8').on('data', (data) => {
      if (withErrors) text += data;
      errors += data;
    });
    child.on('error', () => finish(null));
    child.on('close', (code, signal) => {
      // Below 0: the program is missing, which `error` has already reported.
      if (code !== null && code < 0) finish(null);
      else if (code === 0 || evenIfFailed) finish(text);
      else finish(null, signal ? `ended by ${signal}` : `exit status ${code}`);
    });
  });
}

const firstLine = (text) =>
  text
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? null;

async function instance() {
  const paths = {
    id: 'instance-id',
    type: 'instance-type',
    image: 'ami-id',
    availabilityZone: 'placement/availability-zone',
    privateIp: 'local-ipv4',
    lifeCycle: 'instance-life-cycle',
  };
  try {
    const found = {};
    for (const [name, path] of Object.entries(paths)) found[name] = await imds(`meta-data/${path}`, 1000);
    return found;
  } catch (error) {
    notices.push(`instance: ${error.cause?.code ?? error.message}`);
    // If only root may use the service: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/identify_ec2_instances.html
    const said = (name) => readText(`${ROOT}/sys/devices/virtual/dmi/id/${name}`)?.trim();
    return said('sys_vendor') === 'Amazon EC2' ? { type: said('product_name') ?? null } : null;
  }
}

function operatingSystem() {
  const text = readText(`${ROOT}/etc/os-release`) ?? '';
  const value = (name) => new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm').exec(text)?.[1] ?? null;
  return { id: value('ID'), version: value('VERSION_ID'), name: value('PRETTY_NAME') };
}

/** The entry of the kernel's mount table that a path lies on. Asking the file system itself could hang. */
function mountOf(path) {
  const mounts = (readText(`${ROOT}/proc/mounts`) ?? '')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(
      ([, point, type]) =>
        point && type !== 'autofs' && (path === point || path.startsWith(point.replace(/\/?$/, '/'))),
    )
    // The longest mount point wins; of two on one point, the later.
    .reverse()
    .sort((a, b) => b[1].length - a[1].length);
  const [source = null, , type = null, options = null] = mounts[0] ?? [];
  return { source, type, options };
}

/** Returns the mounts of the arms. A directory may be a link to one on a mount: `realpath` is asked, since it may hang. */
async function mountsOf(arms) {
  const found = Object.entries(arms).map(async ([name, { mountPoint }]) => {
    const real = firstLine(await output(['realpath', '--', `${ROOT}${mountPoint}`], { evenIfFailed: true }));
    return [name, { mountPoint, ...mountOf(real?.slice(ROOT.length) || mountPoint) }];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** The arms that a run names, `--arm NAME=DIRECTORY` for each, and the other words. */
function argumentsOf(words) {
  const arms = {};
  const programs = [];
  for (let index = 0; index < words.length; index++) {
    if (words[index] === '--arm') {
      const [name, ...path] = (words[++index] ?? '').split('=');
      arms[name] = { mountPoint: path.join('=') };
    } else programs.push(words[index]);
  }
  return { arms, programs };
}

/** Collects the facts that the storages' own scripts report (storage/<kind>/describe.mjs) about this client and each arm. */
async function storages(mounts) {
  const found = { facts: {}, arms: {} };
  // A package lacks the link to the folder next to the clients': npm leaves links out.
  const folder = ['../storage/', '../../storage/'].map((path) => new URL(path, import.meta.url)).find(existsSync);
  for (const kind of folder === undefined ? [] : readdirSync(folder).sort()) {
    const script = new URL(`${kind}/describe.mjs`, folder);
    if (!existsSync(script)) continue;
    try {
      const { describe } = await import(script.href);
      const { facts, arms } = await describe({ output, firstLine, notice: (text) => notices.push(text), mounts });
      Object.assign(found.facts, facts);
      Object.assign(found.arms, arms);
    } catch (error) {
      notices.push(`${kind}: ${error.message}`);
    }
  }
  return found;
}

async function tools() {
  const found = {};
  for (const [name, command] of Object.entries(VERSION_COMMANDS)) {
    const line = firstLine(await output(command));
    if (line) found[name] = line;
  }
  // IOR has no --version; without arguments it would start a benchmark in the current folder. 3.3.0 answers --help with
  // status 0 and 4.0.0 with 1, and only client.json knows which was built.
  return found;
}

/** Returns where a program lies on the PATH; `null` if it does not. */
function placeOf(program) {
  const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program));
  const found = places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  return found ?? null;
}

const config = readJson(process.env.FSXBENCH_CLIENT_CONFIG ?? `${ROOT}/etc/fsxbench/client.json`);
const state = process.env.FSXBENCH_STATE ?? `${ROOT}/var/lib/fsxbench`;
const asked = argumentsOf(process.argv.slice(2));
const mounts = await mountsOf(Object.keys(asked.arms).length > 0 ? asked.arms : (config?.arms ?? {}));
const own = await storages(mounts);

const document = {
  schema: 'fsxbench.environment/1',
  node: hostname(),
  at: new Date().toISOString(),
  os: operatingSystem(),
  kernel: release(),
  architecture: arch(),
  cpus: cpus().length,
  cpuModel: cpus()[0]?.model ?? null,
  memoryBytes: totalmem(),
  instance: await instance(),
  arms: Object.fromEntries(
    Object.entries(mounts).map(([name, mount]) => [
      name,
      { ...mount, layout: null, inactive: null, ...own.arms[name] },
    ]),
  ),
  parameters: {},
  ...own.facts,
  tuning: readJson(`${state}/tuning.json`),
  tools: { ...config?.tools, ...(await tools()) },
  ...(asked.programs.length > 0 && {
    programs: Object.fromEntries(asked.programs.map((program) => [program, placeOf(program)])),
  }),
  notices,
};
// Left-behind children must not keep this process: exit as soon as the text is out.
process.stdout.write(`${JSON.stringify(document)}\n`, () => process.exit(0));
