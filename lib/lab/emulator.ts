import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity, statOf } from '../common/processIdentity';
import { LabError } from './error';
import type { LabPaths } from './paths';
import { LAB_MARKER, searchPath } from './processes';
import type { LabState } from './state';

export const LAB_REGION = 'us-east-1';
export const LAB_ACCOUNT = '123456789012';

/** Timeout for an emulator that hangs; one that exits is noticed at once, however busy the machine is. */
const READY_SECONDS = 300;

/** A stopped emulator refuses connections at once; a running one on a busy machine may answer late. */
const ANSWER_MS = 30_000;

export type Emulator = NonNullable<LabState['emulator']>;

export interface StartEmulatorOptions {
  readonly paths: LabPaths;
  readonly python: string;
  /** Called when the process has taken its port; until then `lab down` finds it by its marker. */
  readonly record: (emulator: Emulator) => Promise<void>;
}

/** Starts the emulator and waits until it answers. It runs in its own session and outlives this process; its output goes to `.lab/emulator.log`. */
export async function startEmulator({ paths, python, record }: StartEmulatorOptions): Promise<Emulator> {
  await mkdir(paths.clientState, { recursive: true });
  await rm(paths.emulatorPort, { force: true });
  await makeSecret(paths);
  const log = await open(paths.emulatorLog, 'w');
  const child = spawn(python, ['-m', 'fsxbench_lab', '--port-file', paths.emulatorPort], {
    cwd: join(paths.root, 'assets/lab'),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: serverEnvironment(paths),
  });
  child.unref();
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(new LabError(`the emulator cannot start: ${error.message}`)));
  });
  failed.catch(() => {});
  await log.close();
  const started = child.pid === undefined ? null : statOf(child.pid);
  const identity = started && { pid: started.pid, startTicks: started.startTicks };
  const port = Number(
    await Promise.race([failed, until(identity, paths, () => readFile(paths.emulatorPort, 'utf8').catch(() => ''))]),
  );
  const emulator: Emulator = { port, endpoint: `http://127.0.0.1:${port}`, process: identity };
  await record(emulator);
  await until(identity, paths, () => answers(paths, emulator.endpoint));
  return emulator;
}

/** Makes the secret key of a new lab: all users reach the emulator, which runs commands as this user, so only this user may read it. */
async function makeSecret({ emulatorKey, cdkHome }: LabPaths): Promise<void> {
  await rm(emulatorKey, { force: true });
  await writeFile(emulatorKey, `LAB${randomBytes(16).toString('hex').toUpperCase()}`, { flag: 'wx', mode: 0o600 });
  // The CDK CLI writes keys to a file there that others could read.
  await mkdir(cdkHome, { recursive: true });
  await chmod(cdkHome, 0o700);
}

/** The access key of a running lab. @throws LabError without one */
export function secretOf({ emulatorKey }: LabPaths): string {
  try {
    return readFileSync(emulatorKey, 'utf8');
  } catch (error) {
    throw new LabError(
      `the lab's access key cannot be read (${(error as Error).message}): stop it with npx fsxbench lab down`,
    );
  }
}

/** True if the emulator answers to the lab's key. Not by `fetch`: Node.js 24 ends the process if a server closes a connection before its data are read. */
export const answers = (paths: LabPaths, endpoint: string): Promise<boolean> =>
  new Promise<boolean>((resolve) => {
    const headers = { authorization: `AWS4-HMAC-SHA256 Credential=${secretOf(paths)}/` };
    // Its own agent: that of all requests may go through a proxy (NODE_USE_ENV_PROXY).
    const asked = http.request(`${endpoint}/moto-api/`, {
      agent: false,
      headers,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    asked
      .once('error', () => resolve(false))
      .once('response', (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
    asked.end();
  }).catch(() => false);

/** Variables that point SDKs, CDK and `fsxbench` to the emulator only; `undefined` must be unset, since the SDK takes an empty AWS_PROFILE for one. */
export function emulatorEnvironment(paths: LabPaths, endpoint: string): Record<string, string | undefined> {
  return { ...settings(paths), AWS_ENDPOINT_URL: endpoint };
}

/** Hosts that the user's proxy is not asked for, with the emulator's. */
const unproxied = (hosts = ''): string =>
  [...new Set([...hosts.split(',').filter(Boolean), 'localhost', '127.0.0.1'])].join(',');

/** The user's own AWS settings, such as AWS_PROFILE or AWS_ENDPOINT_URL_S3: they must not reach a child process. */
const withoutUsers = (): Record<string, undefined> =>
  Object.fromEntries(Object.keys(process.env).flatMap((name) => (name.startsWith('AWS_') ? [[name, undefined]] : [])));

const settings = (paths: LabPaths): Record<string, string | undefined> => ({
  ...withoutUsers(),
  NO_PROXY: unproxied(process.env.NO_PROXY),
  no_proxy: unproxied(process.env.no_proxy),
  AWS_REGION: LAB_REGION,
  AWS_DEFAULT_REGION: LAB_REGION,
  // The CDK CLI caches the account of each key, so every emulator needs its own key.
  AWS_ACCESS_KEY_ID: secretOf(paths),
  AWS_SECRET_ACCESS_KEY: 'lab',
  AWS_SESSION_TOKEN: undefined,
  AWS_PROFILE: undefined,
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
  CDK_HOME: paths.cdkHome,
  CDK_DEFAULT_ACCOUNT: LAB_ACCOUNT,
  CDK_DEFAULT_REGION: LAB_REGION,
  CDK_DISABLE_CLI_TELEMETRY: 'true',
});

/** The server's environment, which commands sent through SSM inherit; the server adds its address. */
function serverEnvironment(paths: LabPaths): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...settings(paths),
    [LAB_MARKER]: paths.lab,
    FSXBENCH_HOME: paths.clientHome,
    FSXBENCH_STATE: paths.clientState,
    FSXBENCH_CLIENT_CONFIG: paths.clientConfig,
    FSXBENCH_BIN: paths.tools,
    PATH: searchPath(paths.tools),
    LC_ALL: 'C',
    SLURM_CONF: join(paths.slurm, 'slurm.conf'),
    // With more ranks than CPUs, waiting ranks must yield: Slurm does not set this for Open MPI.
    OMPI_MCA_mpi_yield_when_idle: '1',
    NODE_PATH: join(paths.root, 'node_modules'),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUNBUFFERED: '1',
  };
}

/** Waits for the emulator and returns its answer. @throws LabError if it ends or keeps silent */
async function until<T>(identity: ProcessIdentity | null, paths: LabPaths, look: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + READY_SECONDS * 1000;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    const gone = identity === null || !isRunning(identity);
    if (gone || Date.now() > deadline) {
      const what = gone ? 'exited at once' : `did not answer within ${READY_SECONDS} s`;
      const log = await readFile(paths.emulatorLog, 'utf8').catch(() => '');
      const end = log.trim().split('\n').slice(-8).join('\n');
      throw new LabError(`the emulator ${what}; its log, ${paths.emulatorLog}, ends with\n${end}`);
    }
    await sleep(100);
  }
}
