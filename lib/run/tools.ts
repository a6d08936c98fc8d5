import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORKLOADS } from '../workload/registry';
import type { VersionQuestion } from '../workload/workload';

/** Seconds that a tool may take to name its version. */
const ANSWER_SECONDS = 10;

/** How each tool is asked for its version: the workloads, and what they and the driver need besides. */
const QUESTIONS: Readonly<Record<string, VersionQuestion>> = {
  ...Object.fromEntries(WORKLOADS.map(({ id, version }) => [id, version])),
  openmpi: { argv: ['mpirun', '--version'], version: /\(Open MPI\) ([\w.]+)/ },
  compsize: { argv: ['compsize', '--help'], version: /()compsize/i },
};

/** The versions of the benchmark tools on the PATH; a tool that is not there, or does not answer, is not a key. */
export async function toolVersions(environment: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const answers = await Promise.all(
    Object.entries(QUESTIONS).map(async ([tool, question]) => [tool, await ask(question, environment)] as const),
  );
  return Object.fromEntries(answers.filter((answer): answer is [string, string] => answer[1] !== null));
}

/** In an empty folder of its own: two of the tools name their version only when they write something. */
async function ask({ argv, version }: VersionQuestion, environment: NodeJS.ProcessEnv): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'fsxbench-tool-'));
  try {
    const env = { ...environment, OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };
    const options = { cwd: folder, env, timeout: ANSWER_SECONDS * 1000 };
    const said = await new Promise<string>((resolve) => {
      execFile(argv[0] as string, argv.slice(1), options, (_, stdout, stderr) => resolve(`${stdout}${stderr}`));
    });
    const match = version.exec(said);
    return match ? match[1] || 'present' : null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
