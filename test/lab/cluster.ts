import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { labPrefix } from '../../lib/lab/paths';
import type { Plan } from '../../lib/schema/plan';
import type { Manifest, RunStatus } from '../../lib/schema/run';
import type { Sample } from '../../lib/schema/sample';
import { ON_ONE_MACHINE } from '../support/openMpi';
import { type Ended, PROJECT, slurmForTests, WITHOUT_OTHER_LABS } from './support';

/** A user without rights, which every Debian has (base-passwd). */
const NOBODY = 65_534;
export const NODES = 2;

/** A command that is under way. */
export interface UnderWay {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  readonly said: () => string;
}

/** Contents of a run's folder. */
export interface Results {
  readonly folder: string;
  readonly samples: Sample[];
  readonly plan: Plan;
  readonly manifest: Manifest;
  readonly status: RunStatus;
}

/** Somebody's cluster: a home that all nodes share, a file system, Slurm's programs, and an ordinary user of it. */
export interface Cluster {
  readonly home: string;
  readonly fsx: string;
  readonly environment: () => NodeJS.ProcessEnv;
  /** Program and script of the command line. */
  readonly fsxbench: () => string[];
  /** Starts a command as that user. */
  readonly start: (argv: readonly string[], options?: { readonly path?: string }) => UnderWay;
  /** `fsxbench run --on` the file system. */
  readonly run: (...args: string[]) => UnderWay;
  readonly slurm: (program: string, ...args: string[]) => string;
  readonly resultsOf: (ended: Pick<Ended, 'output'>) => Results;
  /** Waits until a run has measured something. */
  readonly measuring: (underWay: UnderWay) => Promise<void>;
  /** Ends all processes of a node at once, like a power failure, and informs Slurm. */
  readonly endNode: (node: string) => void;
  /** Starts it again. */
  readonly startNode: (node: string) => Promise<void>;
  /** Shows a node the project at the user's path. */
  readonly showProject: (node: string) => void;
  /** Runs a command as root in the mounts of a node. */
  readonly onNode: (node: string, ...argv: string[]) => void;
  /** Data of runs; the folder of all runs stays. */
  readonly dataLeft: () => string[];
}

/** In a separate mount namespace: the checkout may be where only root may enter, and nodes do not see it. */
const IN_OWN_MOUNTS = `set -e
${WITHOUT_OTHER_LABS}
mount --bind "$1" "$2"
shift 2
exec "$@"`;

const FILES = (count: number): string[] => ['--set', `filesPerRank=${count}`];
const SET = ['repeats=1', 'seconds=1', 'maxMiBPerArm=16', 'ranksPerClient=2'].flatMap((text) => ['--set', text]);
/** Settings of a run of seconds. */
export const QUICK: readonly string[] = [...SET, ...FILES(0)];
export const QUICK_WITH_FILES: readonly string[] = [...SET, ...FILES(20)];

/** Values of measured phases. */
export const measuredIn = (samples: readonly Sample[]): Sample[] =>
  samples.filter(({ phase, source, value }) => phase === 'measure' && source === 'client' && value !== null);

/** Its daemons share a machine as root only. */
export const canSlurm =
  process.getuid?.() === 0 && ['slurmctld', 'munged'].every((name) => existsSync(`/usr/sbin/${name}`));

/** A cluster for the tests of a file, after each of which nothing may be left in its queue. */
export function clusterForTests(): Cluster {
  const paths = slurmForTests({ nodes: NODES, processors: 2 });
  const [home, fsx] = ['home', 'fsx'].map((name) => mkdtempSync(join(tmpdir(), `fsxbench-${name}-`))) as [
    string,
    string,
  ];
  const project = join(home, 'project');
  const environment = (): NodeJS.ProcessEnv => ({
    // Folders of root's own on the PATH of this test are closed to others.
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: home,
    SLURM_CONF: join(paths().slurm, 'slurm.conf'),
    ...ON_ONE_MACHINE,
  });
  const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];
  const fsxbench = () => [join(home, basename(process.execPath)), join(project, 'dist/fsxbench.js')];
  const results = join(home, 'results');
  const start: Cluster['start'] = (argv, { path = environment().PATH } = {}) => {
    const mounts = ['--mount', '--propagation', 'slave', 'sh', '-c', IN_OWN_MOUNTS, 'sh', PROJECT, project];
    const child = spawn('unshare', [...mounts, ...asNobody, ...argv], {
      cwd: home,
      env: { ...environment(), PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (output += text.toString('utf8')));
    const ended = new Promise<Ended>((done) => child.once('close', (status) => done({ status, output })));
    return { pid: child.pid as number, ended, said: () => output };
  };
  const slurm = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { env: environment(), encoding: 'utf8' });

  const pidOf = (node: string): string => readFileSync(join(paths().slurm, `${node}.pid`), 'utf8').trim();
  const onNode = (node: string, ...argv: string[]): void => {
    // A namespace's own root is another directory where this computer is in a chroot itself.
    execFileSync('nsenter', ['--mount', '--root', '--target', pidOf(node), ...argv]);
  };

  const resultsOf: Cluster['resultsOf'] = ({ output }) => {
    const folder = /^run \S+ in (.+)$/m.exec(output)?.[1] ?? '';
    const path = join(home, folder.startsWith('/') ? folder.slice(home.length) : folder);
    const read = (name: string) => JSON.parse(readFileSync(join(path, name), 'utf8'));
    const samples = readFileSync(join(path, 'samples.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Sample);
    return {
      folder: path,
      samples,
      plan: read('plan.json'),
      manifest: read('manifest.json'),
      status: read('status.json'),
    };
  };

  beforeAll(() => {
    // The lab's folder is root's alone; the user reaches Slurm's settings and socket below it.
    chmodSync(paths().root, 0o711);
    cpSync(process.execPath, join(home, basename(process.execPath)));
    mkdirSync(project);
    chownSync(home, NOBODY, NOBODY);
    chownSync(fsx, NOBODY, NOBODY);
  });
  afterEach(async () => {
    // Nothing is left of a run in Slurm, whatever became of it.
    const deadline = Date.now() + 60_000;
    while (slurm('squeue', '--noheader').trim() !== '' && Date.now() < deadline) await sleep(200);
    expect(slurm('squeue', '--noheader')).toBe('');
  });
  afterAll(() => {
    for (const folder of [home, fsx]) rmSync(folder, { recursive: true, force: true });
  });

  return {
    home,
    fsx,
    environment,
    fsxbench,
    start,
    slurm,
    run: (...args) => start([...fsxbench(), 'run', '--on', fsx, '--results', results, '--shared', home, ...args]),
    async measuring({ ended, said }) {
      let over = false;
      void ended.then(() => (over = true));
      for (;;) {
        const folder = /^run \S+ in (.+)$/m.exec(said())?.[1] ?? '';
        const samples = join(folder, 'samples.jsonl');
        if (folder !== '' && existsSync(samples) && measuredIn(resultsOf({ output: said() }).samples).length > 0)
          return;
        if (over) throw new Error(said());
        await sleep(50);
      }
    },
    resultsOf,
    onNode,
    showProject: (node) => onNode(node, 'mount', '--bind', PROJECT, project),
    endNode(node) {
      const mounts = readlinkSync(`/proc/${pidOf(node)}/ns/mnt`);
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
        try {
          if (readlinkSync(`/proc/${pid}/ns/mnt`) === mounts) process.kill(Number(pid), 'SIGKILL');
        } catch {
          // It has just ended.
        }
      slurm('scontrol', 'update', `nodename=${node}`, 'state=down', 'reason=died');
    },
    async startNode(node) {
      const { slurm: folder, lab } = paths();
      const before = pidOf(node);
      const variables = { SLURM_FOLDER: folder, SLURM_LAB: labPrefix(paths()), FSXBENCH_LAB: lab };
      const script = 'source "$1" && start_node "$2"';
      execFileSync('bash', ['-c', script, 'bash', join(PROJECT, 'assets/lab/slurm/cluster'), node], {
        env: { ...environment(), ...variables },
        stdio: 'ignore',
      });
      // It returns to service when it registers (ReturnToService=2). The file is empty before its process id is in it.
      const there = () => {
        const pid = pidOf(node);
        return pid !== '' && pid !== before && existsSync(`/proc/${pid}`);
      };
      for (const deadline = Date.now() + 60_000; !there() && Date.now() < deadline; ) await sleep(50);
    },
    dataLeft: () => readdirSync(fsx, { recursive: true, encoding: 'utf8' }).filter((path) => path !== 'fsxbench'),
  };
}
