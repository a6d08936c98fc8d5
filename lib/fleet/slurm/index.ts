import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bySlurm } from '../common/slurm';
import type { StandingFleet } from '../fleet';

const run = promisify(execFile);

/** Answers within seconds, unless Slurm's controller is down. */
const ANSWER_MS = 60_000;

/** Job variables that would limit steps, or number their lines; each step has its own (srun(1), INPUT ENVIRONMENT VARIABLES). No step uses a GPU. */
const OF_THE_JOB = [
  ...['SLURM_NTASKS', 'SLURM_NPROCS', 'SLURM_NNODES', 'SLURM_JOB_NUM_NODES', 'SLURM_TASKS_PER_NODE'],
  ...['SLURM_NTASKS_PER_NODE', 'SLURM_CPUS_PER_TASK', 'SLURM_DISTRIBUTION', 'SLURM_MEM_PER_CPU', 'SLURM_MEM_PER_NODE'],
  ...['SLURM_GPUS', 'SLURM_GPUS_PER_NODE', 'SLURM_GPUS_PER_SOCKET', 'SLURM_GPUS_PER_TASK', 'SLURM_NTASKS_PER_GPU'],
  ...['SLURM_CPUS_PER_GPU', 'SLURM_MEM_PER_GPU', 'SLURM_TRES_PER_TASK', 'SRUN_CPUS_PER_TASK', 'SLURM_LABELIO'],
];

function nodesIn(wanted: string): number {
  if (/^[1-9]\d{0,3}$/.test(wanted)) return Number(wanted);
  throw new Error(
    `'--nodes' must be a number of nodes from 1 to 9999, got '${wanted}': sinfo shows how many there are`,
  );
}

const jobOf = (nodes: number): string[] => [`--nodes=${nodes}`, '--exclusive', '--job-name=fsxbench'];

/** Output of a Slurm command; its warnings are not data. @throws Error in its own words */
async function said(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  try {
    return await run(program, args, { env, timeout: ANSWER_MS });
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string };
    const why =
      code === 'ENOENT'
        ? `${program} is not installed on this host`
        : stderr.trim().split('\n')[0] || message.split('\n')[0];
    throw new Error(`cannot query Slurm: ${why}; start the run on a login node of the cluster, or in a job`);
  }
}

/** Nodes of a Slurm cluster, in the allocation in which the command runs, or in one that it asks for. */
export const slurmNodes: StandingFleet = {
  option: 'nodes',
  launcher: bySlurm,
  count: nodesIn,
  ifRefused:
    "check with 'sinfo' that Slurm answers here and has such nodes; otherwise start the run on a login node of the cluster, or in a job",
  reserve(wanted, words, environment) {
    const nodes = nodesIn(wanted);
    if (environment.SLURM_JOB_ID !== undefined) return null;
    // Once a node has failed nothing more can be measured: the command ends its run cleanly.
    return ['salloc', ...jobOf(nodes), '--kill-command=TERM', ...words];
  },
  submit(wanted, words, { log, scripts }, environment) {
    const nodes = nodesIn(wanted);
    if (environment.SLURM_JOB_ID !== undefined)
      throw new Error('a run within an allocation ends with it: leave out --detach, or start it outside');
    return [
      // If a node fails, Slurm puts the job back into the queue.
      ...['sbatch', '--parsable', ...jobOf(nodes), '--requeue', '--open-mode=append'],
      // `%` begins a pattern there (sbatch(1), "filename pattern").
      ...[`--output=${log.replaceAll('%', '%%')}`, ...words, `${scripts}/bin/drive-in-slurm`],
    ];
  },
  async machines(wanted, environment) {
    const { SLURM_JOB_ID: job, SLURM_JOB_NODELIST: list = '' } = environment;
    const { stdout } = await said('scontrol', ['show', 'hostnames', list], environment);
    const names = stdout.split('\n').filter((name) => name !== '');
    const nodes = nodesIn(wanted);
    if (nodes > names.length)
      throw new Error(
        `'--nodes' must be at most the ${names.length} of the allocation ${job} (${list}), got ${nodes}: ask Slurm for more, or measure fewer`,
      );
    return { names: names.slice(0, nodes), unset: OF_THE_JOB };
  },
  async noMpi(environment) {
    // Data of some releases, messages of others.
    const { stdout, stderr } = await said('srun', ['--mpi=list'], environment);
    const known = `${stdout}${stderr}`;
    if (/\bpmix/.test(known)) return null;
    const names = known
      .split('\n')
      .map((line) => line.replace(/^srun: /, '').trim())
      .filter((line) => /^[a-z0-9_]+$/.test(line));
    return `this Slurm starts MPI with ${names.join(', ') || 'nothing'}, but fsxbench requires pmix; --set tool=fio needs no MPI`;
  },
};
