import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const CLI = join(__dirname, '../../dist/fsxbench.js');
const PEAK = `process.on('exit', () => process.stderr.write(\`peak \${process.resourceUsage().maxRSS}\`))`;

/** Runs the command line as users do: its output, and the memory in MB that it took at most. @throws if it fails */
export function runCli(args: readonly string[]): { readonly stdout: string; readonly megabytes: number } {
  const preload = `data:text/javascript,${encodeURIComponent(PEAK)}`;
  const done = spawnSync(process.execPath, ['--import', preload, CLI, ...args], { encoding: 'utf8', maxBuffer: 1e9 });
  const [said = '', kilobytes] = done.stderr.split(/peak (?=\d+$)/);
  if (done.status !== 0 || said !== '') throw new Error(`fsxbench ${args[0]} ended with ${done.status}: ${said}`);
  return { stdout: done.stdout, megabytes: Math.round(Number(kilobytes) / 1024) };
}
