import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../common/writeWhole';
import type { SubstituteProgram } from '../storage/storage';
import { type LabPaths, labPrefix, makeFolder } from './paths';
import { type CommandResult, runScript } from './processes';

/** Folder of one stand-in: images, servers' state, and the record of its program. */
export const substituteFolder = ({ substitutes }: LabPaths, arm: string): string => join(substitutes, arm);

/** Prefix of what the machine shares, such as network namespaces. */
export const substituteName = (paths: LabPaths, arm: string): string => `${labPrefix(paths)}-${arm}`;

const recordOf = (paths: LabPaths, arm: string): string => join(substituteFolder(paths, arm), 'program.json');

export async function reasonNoSubstitute(paths: LabPaths, program: SubstituteProgram): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root may mount';
  return failureOf(await act(paths, program, 'check'));
}

/** Variables of the emulator's clients; `undefined` removes a variable. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Makes and mounts one. After a failure, parts made so far remain for {@link stopSubstitutes}. */
export async function startSubstitute(
  paths: LabPaths,
  program: SubstituteProgram,
  arm: string,
  bytes: number,
  environment: Environment,
): Promise<{ readonly said: string } | { readonly failure: string }> {
  makeFolder(paths, substituteFolder(paths, arm));
  // First the record: a lab that is killed meanwhile leaves something to take away.
  writeWhole(recordOf(paths, arm), JSON.stringify(program));
  const own = { arm, STAND_IN_MOUNT: join(paths.mounts, arm), STAND_IN_BYTES: String(bytes) };
  const result = await act(paths, program, 'up', { ...environment, ...own });
  const failure = failureOf(result);
  return failure === null ? { said: result.stdout.trim() } : { failure };
}

/** Has the programs of stand-ins, recorded in the lab's state or not, take away what they made. @returns what does not go */
export async function stopSubstitutes(paths: LabPaths, arms: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const arm of arms) {
    const record = await readFile(recordOf(paths, arm), 'utf8').catch(() => null);
    if (record === null || record === '') continue;
    const program = JSON.parse(record) as SubstituteProgram;
    const own = { arm, STAND_IN_MOUNT: join(paths.mounts, arm), STAND_IN_BYTES: '0' };
    const failure = failureOf(await act(paths, program, 'down', own));
    if (failure !== null) left.push(`the stand-in of ${arm}: ${failure}`);
    else await rm(recordOf(paths, arm), { force: true });
  }
  return left;
}

function act(
  paths: LabPaths,
  { path, variables }: SubstituteProgram,
  action: 'check' | 'up' | 'down',
  { arm = 'check', ...own }: Environment = {},
): Promise<CommandResult> {
  const ofArm = { STAND_IN_NAME: substituteName(paths, arm), STAND_IN_FOLDER: substituteFolder(paths, arm) };
  return runScript(paths, path, { ...variables, ...own, ...ofArm }, [action]);
}

function failureOf({ code, stderr }: CommandResult): string | null {
  if (code === 0) return null;
  return stderr.trim().split('\n').at(-1) || `it ended with status ${code}`;
}
