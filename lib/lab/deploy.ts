import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LAB_ACCOUNT, LAB_REGION } from './emulator';
import { LabError, type OnProgress } from './error';
import type { Lab } from './lab';
import { LAB_MARKER, searchPath } from './processes';

/** The stacks for the CDK CLI to deploy, with `-c` settings. */
export interface DeployOptions {
  readonly lab: Pick<Lab, 'paths' | 'environment'>;
  readonly stacks: readonly string[];
  readonly context?: readonly string[];
  readonly onProgress: OnProgress;
  readonly signal?: AbortSignal;
}

/** The CDK CLI's progress lines, with what is under way after each. */
const TELLING: readonly (readonly [RegExp, next?: string])[] = [
  [/^ ?✅ .*bootstrapped/, 'making the file systems'],
  [/^✨ +Synthesis time/, 'preparing the stacks'],
  [/^\S+: deploying\.\.\./],
  [/^ ?✅/, 'asking what was deployed'],
];

export async function bootstrap(options: Pick<DeployOptions, 'lab' | 'onProgress' | 'signal'>): Promise<void> {
  options.onProgress("bootstrapping the emulator's account");
  // Run outside the project's folder, since `bootstrap` would synthesise the application first (facts-lab).
  await cdk(options, options.lab.paths.lab, ['bootstrap', `aws://${LAB_ACCOUNT}/${LAB_REGION}`]);
}

/** Deploys the stacks into the emulator's account, through the real CDK CLI. */
export async function deploy(options: DeployOptions): Promise<void> {
  const { lab, stacks, context = [], onProgress } = options;
  onProgress('synthesising the stacks');
  const flags = ['--require-approval', 'never', '--progress', 'events'];
  const settings = context.flatMap((setting) => ['-c', setting]);
  await cdk(options, lab.paths.root, ['deploy', ...stacks, ...flags, ...settings]);
}

function cdk({ lab, onProgress, signal }: Omit<DeployOptions, 'stacks'>, cwd: string, args: readonly string[]) {
  return new Promise<void>((resolve, reject) => {
    const said: string[] = [];
    const child = spawn(join(lab.paths.root, 'node_modules', '.bin', 'cdk'), [...args], {
      cwd,
      // Its lines become ours, which are plain, whatever FORCE_COLOR says.
      env: {
        ...process.env,
        ...lab.environment,
        PATH: searchPath(),
        CI: 'true',
        FORCE_COLOR: '0',
        [LAB_MARKER]: lab.paths.lab,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    const listen = (line: string): void => {
      if (line.trim() === '') return;
      said.push(line);
      const told = TELLING.find(([telling]) => telling.test(line));
      if (told !== undefined) onProgress(line.trim(), told[1]);
    };
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', listen);
    child.on('error', reject);
    child.on('close', (status) => {
      const end = said.slice(-25).join('\n');
      if (status === 0) resolve();
      else reject(new LabError(`cdk ${args.slice(0, 3).join(' ')} ended with status ${status}:\n${end}`));
    });
  });
}
