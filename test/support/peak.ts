import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

const CLI = join(process.cwd(), 'dist', 'fsxbench.js');
const PEAK = `process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(\`peak \${maxRSS} \${userCPUTime + systemCPUTime}\`);
})`;

/** Output of a process, the memory that it took at most, and its processor time. */
export interface Used {
  readonly stdout: string;
  readonly megabytes: number;
  readonly cpuSeconds: number;
}

/** Runs a Node.js program with arguments. @throws if it fails, or writes an error */
function run(program: string, args: readonly string[]): Used {
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PEAK)}`,
  };
  const done = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e9, env });
  // On a busy machine, a command reports that it is still running.
  const [said = '', used = ''] = done.stderr.replace(/^.*: still running.*\n/gm, '').split(/peak (?=\d+ \d+$)/);
  if (done.status !== 0 || said !== '') throw new Error(`${args.join(' ')} ended with ${done.status}: ${said}`);
  const [kilobytes = 0, microseconds = 0] = used.split(' ').map(Number);
  return { stdout: done.stdout, megabytes: Math.round(kilobytes / 1024), cpuSeconds: microseconds / 1e6 };
}

/** Runs Node.js itself. */
export const runNode = (args: readonly string[]): Used => run(process.execPath, args);

/** Runs the command line as users do. */
export const runCli = (args: readonly string[]): Used => run(CLI, args);
