import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT, WORKLOADS } from '../../workload/registry';
import type { VersionQuestion } from '../../workload/workload';

/** Timeout in seconds for a tool's version: IOR starts MPI for it, which took more than ten on a busy machine. */
const ANSWER_SECONDS = 60;

/** Version queries of the tools: the workloads, and other programs that they and the driver need. */
const QUESTIONS: Readonly<Record<string, VersionQuestion>> = {
  ...Object.fromEntries(WORKLOADS.flatMap(({ id, version }) => (version ? [[id, version]] : []))),
  openmpi: { argv: ['mpirun', '--version'], version: /\(Open MPI\) ([\w.]+)/ },
  compsize: { argv: ['compsize', '--help'], version: /()compsize/i },
};

export const TOOLS: readonly string[] = Object.keys(QUESTIONS);

/** True for a tool that {@link BUILD} builds. */
export const isBuilt = (tool: string): boolean => BUILT.some(({ id }) => id === tool);

/** Options of `run --on` that have tools built. */
export const BUILD = '--shared DIRECTORY --build-tools';

export const programOf = (tool: string): string => QUESTIONS[tool]?.argv[0] ?? tool;

/** Versions of the tools on the PATH that print an expected one. @throws if a tool does not answer, since another one would be selected */
export async function toolVersions(
  environment: NodeJS.ProcessEnv,
  answerSeconds = ANSWER_SECONDS,
): Promise<Record<string, string>> {
  const answers = Object.entries(QUESTIONS).map(async ([tool, question]): Promise<[string, string][]> => {
    const version = await ask(tool, question, environment, answerSeconds);
    return version === null ? [] : [[tool, version]];
  });
  return Object.fromEntries((await Promise.all(answers)).flat());
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
    const [program = '', ...words] = argv;
    const [said, late] = await new Promise<[string, boolean]>((resolve) => {
      execFile(program, words, options, (error, out, err) => resolve([`${out}${err}`, error?.killed === true]));
    });
    const match = version.exec(said);
    if (match || !late) return match && (match[1] || 'present');
    throw new Error(
      `'${tool}' must name its version within ${answerSeconds} s ('${argv.join(' ')}'), got no answer: wait until this computer is less busy, or remove it from the PATH to measure without it`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
