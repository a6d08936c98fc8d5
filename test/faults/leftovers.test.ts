import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { execute } from '../../lib/run/clients/process';
import { acquireLock } from '../../lib/run/driver/lock';
import { endLeftovers, withRunMark } from '../../lib/run/driver/session';
import { RunFolder } from '../../lib/store/folder';
import { localClients, temporaryFolder } from '../run/bench';
import { until } from '../support/patience';
import { alive } from '../support/processes';

const client = resolve(__dirname, '../../assets/client');
const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) spawnSync('kill', ['-KILL', String(pid)]);
});

/** A tool that an earlier driver of a run left behind, in a separate session. */
async function leftBehind(folder: string, script: string): Promise<number> {
  const pidFile = join(temporaryFolder(), 'pid');
  const environment = { ...process.env, FSXBENCH_RUN_FOLDER: folder };
  const options = { env: environment, detached: true, stdio: 'ignore' } as const;
  spawn('bash', ['-c', `echo $$ >${pidFile}; ${script}`], options).unref();
  await until('its number', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
  const pid = Number(readFileSync(pidFile, 'utf8'));
  started.push(pid);
  return pid;
}

const endAll = (folder: string) =>
  endLeftovers({
    clients: { ...localClients('/mnt'), config: { ...localClients('/mnt').config, home: client } },
    folder: new RunFolder(folder),
    execute: (invocation, abort) => execute({ ...invocation, environment: { FSXBENCH_END_SECONDS: '1' } }, abort),
    abort: new AbortController().signal,
  });

describe('what a killed driver left behind', () => {
  test.each([
    ['works', 'exec sleep 60'],
    ['ignores SIGTERM', "trap '' TERM; while :; do sleep 0.2; done"],
    ['is stopped', 'kill -STOP $$; exec sleep 60'],
  ])('is named and ended, also where it %s', async (_, script) => {
    const folder = temporaryFolder();
    const pid = await leftBehind(folder, script);
    const { ended, problem } = await endAll(folder);
    expect(problem).toBeNull();
    expect(ended.some((one) => one.includes(`(${pid}, here)`))).toBe(true);
    expect(alive(pid)).toBe(false);
  });

  /** The folders of two runs of one fleet. */
  function twoRuns(benchmark = '') {
    const runs = join(temporaryFolder(), 'runs');
    const [own, other] = ['own', 'other'].map((name) => join(runs, benchmark, name)) as [string, string];
    mkdirSync(own, { recursive: true });
    mkdirSync(other, { recursive: true });
    return { own, other };
  }

  test.each([
    ['on a fleet', ''],
    ['on one computer', 'CompressionBench'],
  ])('by another run is ended where no driver holds that run, and named with it: %s', async (_, benchmark) => {
    const { own, other } = twoRuns(benchmark);
    const pid = await leftBehind(other, 'exec sleep 60');
    // Its driver was killed: the process that it names is another one.
    writeFileSync(join(other, 'driver.lock'), JSON.stringify({ host: hostname(), pid: process.pid, startTicks: '1' }));
    expect(await endAll(own)).toEqual({ ended: [`sleep (${pid}, here) of other`], running: [], problem: null });
    expect(alive(pid)).toBe(false);
  });

  test('is left alone while a driver holds its run, also one whose lock a full disk cut off', async () => {
    const { own, other } = twoRuns();
    const pid = await leftBehind(other, 'exec sleep 60');
    const release = await acquireLock(other);
    writeFileSync(join(other, 'driver.lock'), '{"ho');
    expect(await endAll(own)).toEqual({ ended: [], running: ['other'], problem: null });
    expect(alive(pid)).toBe(true);
    release();
  });

  test('refuses the run where the driver may live on another machine, and is not ended', async () => {
    const { own, other } = twoRuns();
    const pid = await leftBehind(other, 'exec sleep 60');
    writeFileSync(join(other, 'driver.lock'), JSON.stringify({ host: 'leader-2', pid: 1, startTicks: '1' }));
    const { problem } = await endAll(own);
    expect(problem).toContain('processes of the run other are still running on the clients, and it is not known here');
    rmSync(other, { recursive: true });
    expect((await endAll(own)).problem).toContain(`${other} belongs to another computer`);
    expect(alive(pid)).toBe(true);
  });

  test('by another run, whose folder is a line of this one’s name, is left alone', async () => {
    const other = temporaryFolder();
    const pid = await leftBehind(other, 'exec sleep 60');
    const { problem } = await endAll(`${temporaryFolder()}/a\n${other}`);
    expect(problem).toContain("'FOLDER' must be a path without line breaks");
    expect(alive(pid)).toBe(true);
  });

  test('by runs elsewhere on this computer is not this run’s to judge', async () => {
    const pid = await leftBehind(temporaryFolder(), 'exec sleep 60');
    expect(await endAll(twoRuns().own)).toEqual({ ended: [], running: [], problem: null });
    expect(alive(pid)).toBe(true);
  });

  test('stops the run with its name where nothing ends it', async () => {
    const folder = new RunFolder(temporaryFolder());
    const home = temporaryFolder();
    mkdirSync(join(home, 'bin'));
    const said = 'echo "12 fio"; echo "error: survives SIGKILL: 12 fio" >&2; exit 1';
    folder.write('said', said);
    const clients = { ...localClients('/mnt'), config: { ...localClients('/mnt').config, home } };
    const { problem } = await endLeftovers({
      clients,
      folder,
      abort: new AbortController().signal,
      execute: (invocation, abort) => execute({ ...invocation, argv: ['bash', '-c', said] }, abort),
    });
    expect(problem).toBe(
      'processes of an earlier session could not be ended (here): survives SIGKILL: 12 fio; end them, then continue with --resume',
    );
  });
});

test('whatever a driver starts carries the mark of its run', async () => {
  const folder = new RunFolder(temporaryFolder());
  const outputFile = folder.write('out', '');
  const abort = new AbortController().signal;
  await withRunMark(folder.path, execute)(
    { argv: ['bash', '-c', 'env | grep ^FSXBENCH_RUN_FOLDER'], outputFile, timeoutSeconds: 10 },
    abort,
  );
  expect(readFileSync(outputFile, 'utf8')).toBe(`FSXBENCH_RUN_FOLDER=${folder.path}\n`);
});

describe('a command on a client', () => {
  /** sshd's process and, below it, the command, whose own child writes its number. */
  async function session(script: string) {
    const pidFile = join(temporaryFolder(), 'pid');
    const program = join(client, 'bin/within-session');
    const command = `exec setpriv --pdeathsig TERM ${program} bash -c 'sleep 60 & echo $! >${pidFile}; ${script}'`;
    const options = { env: { ...process.env, FSXBENCH_END_SECONDS: '1' }, stdio: 'ignore' } as const;
    // As sshd does: it starts the user's shell, and stays.
    const sshd = spawn('bash', ['-c', 'bash -c "$0"; true', command], options);
    await until('its number', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    started.push(pid);
    return { sshd, pid };
  }

  test.each([
    ['SIGTERM is enough', 'wait'],
    ['it ignores SIGTERM', 'trap "" TERM; while :; do sleep 0.2; done'],
  ])('ends with its session, all of it, where %s', async (_, script) => {
    const { sshd, pid } = await session(script);
    sshd.kill('SIGKILL');
    await until('its end', () => !alive(pid));
  });

  test('has the exit status and the output that it would have without', () => {
    const run = (script: string) =>
      spawnSync('setpriv', ['--pdeathsig', 'TERM', join(client, 'bin/within-session'), 'bash', '-c', script], {
        encoding: 'utf8',
      });
    const { status, stdout, stderr } = run('echo out; echo err >&2; exit 7');
    expect([status, stdout, stderr]).toEqual([7, 'out\n', 'err\n']);
    expect(run('kill -KILL $$').status).toBe(137);
  });
});

describe('a program on a server', () => {
  /** sshd's process; below it sudo, which gets no signal at sshd's end; and below that the program, whose child writes its number. */
  async function session(script: string) {
    const [home, pidFile] = [temporaryFolder(), join(temporaryFolder(), 'pid')];
    for (const name of ['bin', 'lib']) symlinkSync(join(client, name), join(home, name));
    mkdirSync(join(home, 'server/bin'), { recursive: true });
    const program = `#!/bin/bash\nsleep 60 & echo $! >${pidFile}\n${script}\n`;
    writeFileSync(join(home, 'server/bin/rung'), program, { mode: 0o755 });
    const env = { ...process.env, FSXBENCH_END_SECONDS: '1', FSXBENCH_HOME: home, FSXBENCH_ROOT: home };
    const sudo = `bash "$0" rung raw write 20 2; true`;
    const words = ['-c', 'bash -c "$0" "$1"; true', sudo, join(client, 'server/bin/remote')];
    const sshd = spawn('bash', words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const output = text(sshd.stdout);
    await until('its number', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    started.push(pid);
    return { sshd, pid, output };
  }

  test.each([
    ['SIGTERM is enough', 'wait'],
    ['it ignores SIGTERM', 'trap "" TERM; while :; do sleep 0.2; done'],
  ])('ends with the session of the client that asked for it, all of it, where %s', async (_, script) => {
    const { sshd, pid } = await session(script);
    sshd.kill('SIGKILL');
    await until('its end', () => !alive(pid));
  });

  test('prints what it would print otherwise, and keeps no session open', async () => {
    const { output } = await session('kill $!; wait; echo out');
    expect(await output).toBe('out\n');
  });
});
