import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Seconds that a tool may take to name its version. */
const ANSWER_SECONDS = 10;

/** How each tool is asked for its version. */
const QUESTIONS: Readonly<Record<string, { argv: readonly string[]; version: RegExp }>> = {
  fio: { argv: ['fio', '--version'], version: /^fio-([\w.-]+)/m },
  openmpi: { argv: ['mpirun', '--version'], version: /\(Open MPI\) ([\w.]+)/ },
  compsize: { argv: ['compsize', '--help'], version: /()compsize/i },
  // IOR has no --version. Its smallest run names it: one process writes one block of 256 KiB into an empty folder.
  ior: { argv: ['ior', '-w', '-o', 'version'], version: /^IOR-([\w.+]+): / },
  // mdtest neither; of 3.2.1 and before it calls itself 1.9.3.
  mdtest: { argv: ['mdtest', '-n', '1', '-d', 'files'], version: /^mdtest-([\w.+]+) was launched/m },
};

/** The versions of the benchmark tools on the PATH; a tool that is not there, or does not answer, is not a key. */
export function toolVersions(environment: NodeJS.ProcessEnv): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-tools-'));
  try {
    const found: Record<string, string> = {};
    for (const [tool, { argv, version }] of Object.entries(QUESTIONS)) {
      const env = { ...environment, OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };
      const answer = spawnSync(argv[0] as string, argv.slice(1), {
        cwd: folder,
        env,
        encoding: 'utf8',
        timeout: ANSWER_SECONDS * 1000,
      });
      const match = version.exec(`${answer.stdout ?? ''}${answer.stderr ?? ''}`);
      if (match) found[tool] = match[1] || 'present';
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
