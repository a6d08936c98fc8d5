import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workloadOrNone } from '../../workload/lookup';
import { WORKLOADS } from '../../workload/registry';
import type { VersionQuestion } from '../../workload/workload';

/** Timeout in seconds for a tool's version: IOR starts MPI for it, which took more than ten on a busy machine. */
const ANSWER_SECONDS = 60;

/** Version queries of the tools: the workloads, and other programs that they and the driver need. */
const QUESTIONS: Readonly<Record<string, VersionQuestion>> = {
  ...Object.fromEntries(WORKLOADS.flatMap(({ id, version }) => (version ? [[id, version]] : []))),
  openmpi: { argv: ['mpirun', '--version'], version: /\(Open MPI\) ([\w.]+)/ },
  compsize: { argv: ['compsize', '--help'], version: /()compsize/i },
};

/** Names of all tools that are asked for. */
export const TOOLS: readonly string[] = Object.keys(QUESTIONS);

/** Labels of the tools that {@link BUILD} builds. */
export const BUILT: readonly string[] = WORKLOADS.flatMap(({ label, version }) => (version?.builds ? [label] : []));

export const isBuilt = (tool: string): boolean => workloadOrNone(tool)?.version?.builds === true;

/** Options of `run --on` that have tools built. */
export const BUILD = '--shared DIRECTORY --build-tools';

/** The program that a tool is called by: `mpirun` for `openmpi`. */
export const programOf = (tool: string): string => QUESTIONS[tool]?.argv[0] ?? tool;

/**
 * Versions of the benchmark tools on the PATH, without tools that are missing or have an unexpected version line.
 *
 * @throws if a tool does not answer, since another tool would otherwise be selected
 */
export async function toolVersions(
  environment: NodeJS.ProcessEnv,
  answerSeconds = ANSWER_SECONDS,
): Promise<Record<string, string>> {
  const answers = await Promise.all(
    Object.entries(QUESTIONS).map(
      async ([tool, question]) => [tool, await ask(tool, question, environment, answerSeconds)] as const,
    ),
  );
  return Object.fromEntries(answers.filter((answer): answer is [string, string] => answer[1] !== null));
}

/** Runs in a new empty folder, since two of the tools print their version only when they write something. */
async function ask(
  tool: string,
  { argv, version }: VersionQuestion,
  environment: NodeJS.ProcessEnv,
  answerSeconds: number,
): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'fsxbench-tool-'));
  try {
    const env = { ...environment, OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };
    const options = { cwd: folder, env, timeout: answerSeconds * 1000 };
    const [said, late] = await new Promise<[string, boolean]>((resolve) => {
      execFile(argv[0] as string, argv.slice(1), options, (error, stdout, stderr) =>
        resolve([`${stdout}${stderr}`, error?.killed === true]),
      );
    });
    const match = version.exec(said);
    if (!match && late)
      throw new Error(
        `'${tool}' must name its version within ${answerSeconds} s ('${argv.join(' ')}'), got no answer: wait until this computer is less busy, or remove it from the PATH to measure without it`,
      );
    return match ? match[1] || 'present' : null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
