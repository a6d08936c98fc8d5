import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isRunning, type ProcessIdentity } from '../kit/processIdentity';
import { LabError } from './error';
import type { LabPaths } from './paths';
import { LAB_MARKER } from './processes';
import type { LabState } from './state';

/** The emulator's one Region and account. */
export const LAB_REGION = 'us-east-1';
export const LAB_ACCOUNT = '123456789012';

/** A guard against an emulator that hangs: one that ends is noticed at once, however busy the machine is. */
const READY_SECONDS = 300;

/** One that has ended refuses at once; one that is at work on a busy machine answers late. */
const ANSWER_MS = 30_000;

/** The emulator as it runs. */
export type Emulator = NonNullable<LabState['emulator']>;

/** What `startEmulator` needs. */
export interface StartEmulatorOptions {
  readonly paths: LabPaths;
  /** The interpreter of the lab's environment. */
  readonly python: string;
  /** Called before the process starts and again when its identity is known: what it writes is what `lab down` finds. */
  readonly record: (emulator: Emulator) => Promise<void>;
}

/**
 * Starts the emulator on a free port and waits until it answers.
 *
 * It runs in a session of its own and outlives this process; its output goes to `.lab/emulator.log`.
 */
export async function startEmulator({ paths, python, record }: StartEmulatorOptions): Promise<Emulator> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  await record({ port, endpoint, process: null });
  await mkdir(paths.clientState, { recursive: true });
  const log = await open(paths.emulatorLog, 'w');
  const child = spawn(python, ['-m', 'fsxbench_lab', '--port', String(port)], {
    cwd: join(paths.root, 'assets/lab'),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: serverEnvironment(paths, port),
  });
  child.unref();
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(new LabError(`the emulator cannot start: ${error.message}`)));
  });
  failed.catch(() => {});
  await log.close();
  const identity = child.pid === undefined ? null : await identify(child.pid);
  const emulator: Emulator = { port, endpoint, process: identity };
  await record(emulator);
  await Promise.race([failed, untilReady(emulator, identity, paths)]);
  return emulator;
}

/** Whether the emulator answers. */
export async function answers(endpoint: string): Promise<boolean> {
  const response = await fetch(`${endpoint}/moto-api/`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null);
  return response?.ok ?? false;
}

/**
 * Variables that make the AWS SDKs, the CDK CLI and `fsxbench` itself speak to the emulator, and to nothing else.
 * One that is `undefined` must not be set: to the SDK an empty AWS_PROFILE is a profile.
 */
export function emulatorEnvironment(paths: LabPaths, endpoint: string): Record<string, string | undefined> {
  const port = new URL(endpoint).port;
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: LAB_REGION,
    AWS_DEFAULT_REGION: LAB_REGION,
    // The CDK CLI remembers which account a key belongs to, by the key: one for each emulator.
    AWS_ACCESS_KEY_ID: `LAB${createHash('sha256').update(`${paths.lab}:${port}`).digest('hex').slice(0, 17).toUpperCase()}`,
    AWS_SECRET_ACCESS_KEY: 'lab',
    // Whatever of the user's own account might be set here must not reach a child.
    AWS_SESSION_TOKEN: undefined,
    AWS_PROFILE: undefined,
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_HOME: paths.cdkHome,
    CDK_DEFAULT_ACCOUNT: LAB_ACCOUNT,
    CDK_DEFAULT_REGION: LAB_REGION,
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
}

/** The server's own environment, which the commands that come through SSM inherit. */
function serverEnvironment(paths: LabPaths, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...emulatorEnvironment(paths, `http://127.0.0.1:${port}`),
    [LAB_MARKER]: paths.lab,
    FSXBENCH_HOME: paths.clientHome,
    FSXBENCH_STATE: paths.clientState,
    FSXBENCH_CLIENT_CONFIG: paths.clientConfig,
    PATH: [paths.tools, process.env.PATH ?? ''].join(delimiter),
    NODE_PATH: join(paths.root, 'node_modules'),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUNBUFFERED: '1',
  };
}

async function untilReady(emulator: Emulator, identity: ProcessIdentity | null, paths: LabPaths): Promise<void> {
  const deadline = Date.now() + READY_SECONDS * 1000;
  for (;;) {
    if (await answers(emulator.endpoint)) return;
    const gone = identity === null || !(await isRunning(identity));
    if (gone || Date.now() > deadline) {
      const what = gone ? 'ended at once' : `did not answer within ${READY_SECONDS} s`;
      throw new LabError(
        `the emulator ${what}; its log, ${paths.emulatorLog}, ends with\n${await tail(paths.emulatorLog)}`,
      );
    }
    await sleep(100);
  }
}

async function tail(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-8).join('\n');
}

/** A port that is free now. The emulator refuses to start if another takes it first. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new LabError('no TCP port is free on 127.0.0.1');
  return address.port;
}
