import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { LabError, type OnProgress } from './error';

/** The lab's Python, created or updated by `scripts/install-python`, which needs no build. @returns path of the interpreter */
export async function ensureVenv(root: string, onProgress: OnProgress = () => {}): Promise<string> {
  const child = spawn(join(root, 'scripts/install-python'), { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  const printed = text(child.stdout);
  createInterface({ input: child.stderr }).on('line', (line) => {
    output.push(line);
    onProgress(line);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new LabError(output.join('\n') || `the Python set-up exited with ${code}`);
  return (await printed).trim();
}
