import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lab } from '../lab';
import { endProcesses, LAB_MARKER, processesOfLab } from '../processes';

/** The command's words by which its processes are known again. */
const COMMAND = ['lab', 'publish'] as const;

/** Starts the publisher of a benchmark's metrics for the life of the lab. A running one is ended, since sums would count twice. */
export async function startMetrics({ paths, environment }: Lab, benchmark: string): Promise<void> {
  await endProcesses(() => publishers(paths.lab, benchmark));
  const log = await open(paths.metricsLog, 'a');
  const child = spawn(process.execPath, [join(paths.root, 'dist', 'fsxbench.js'), ...COMMAND, benchmark], {
    cwd: paths.root,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: { ...process.env, ...environment, [LAB_MARKER]: paths.lab },
  });
  child.unref();
  await log.close();
}

async function publishers(lab: string, benchmark: string) {
  const words = [...COMMAND, benchmark].join('\0');
  const all = await processesOfLab(lab);
  const own = await Promise.all(
    all.map(async ({ pid }) => (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(words)),
  );
  return all.filter((_, index) => own[index]);
}
