import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { writeWhole } from '../common/writeWhole';
import { type Of, parseJson } from '../schema/document';
import { scaleModelSchema } from '../schema/model';
import { LabError } from './error';
import type { LabPaths } from './paths';

const storageSchema = z.object({
  arm: z.string(),
  /** Name of a stand-in (lib/storage/storage.ts), or that of the scale model. */
  kind: z.string(),
  mountPoint: z.string(),
  /** Type of file system for the driver (lib/storage/filesystem.ts). @default other: in a lab of another release, only taken down */
  filesystem: z.string().default('other'),
  actually: z.string(),
  /** Master of a stand-in whose servers count (lib/storage/storage.ts). */
  master: z.string().optional(),
  model: scaleModelSchema.optional(),
});

const stateSchema = z.object({
  schema: z.literal('fsxbench.lab/1'),
  startedAt: z.string(),
  emulator: z
    .object({
      port: z.number().int(),
      endpoint: z.string(),
      /** `null` until the process exists; until then it is found by its marker. */
      process: z.object({ pid: z.number().int().positive(), startTicks: z.string() }).nullable(),
    })
    .nullable(),
  storages: z.array(storageSchema),
  /** Release of the Slurm that starts processes. @default - they are started on this computer as it is */
  slurm: z.string().optional(),
  notices: z.array(z.string()).optional(),
  /** True once everything was created and verified. */
  ready: z.boolean(),
});

export type LabStorage = Of<typeof storageSchema>;
/** `.lab/state.json`: what the lab has created or is about to create. */
export type LabState = Of<typeof stateSchema>;

export const newState = (): LabState => ({
  schema: 'fsxbench.lab/1',
  startedAt: new Date().toISOString(),
  emulator: null,
  storages: [],
  ready: false,
});

/** The recorded state, or `null` if there is no lab. @throws LabError if it is damaged, another user's, or that of another lab */
export async function readState(paths: LabPaths): Promise<LabState | null> {
  requireOwn(paths);
  const text = await readFile(paths.stateFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const parsed = stateSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new LabError(
      `'${paths.stateFile}' is not a lab state file; remove it once 'mount | grep .lab' shows nothing`,
    );
  return parsed.data;
}

/** @throws LabError naming the record if the lab is another user's, whose processes and mounts this one cannot end, or is in another checkout */
export function requireOwn({ stateFile, mounts }: LabPaths): void {
  const owner = statSync(stateFile, { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.();
  if (owner === undefined) return;
  if (owner !== own)
    throw new LabError(
      `'${stateFile}' belongs to a lab of user ${owner}, and this is user ${own}: stop it as that user, or use your own checkout`,
    );
  const { data } = stateSchema.safeParse(parseJson(readFileSync(stateFile, 'utf8')));
  const folders = data?.storages.map(({ mountPoint }) => dirname(mountPoint)) ?? [];
  // One that is gone was moved with its checkout.
  const other = folders.find((folder) => folder !== mounts && existsSync(folder) && realpathSync(folder) !== mounts);
  if (other !== undefined)
    throw new LabError(
      `'${stateFile}' is a copy of the record of another lab, in ${dirname(other)}: remove it, and run the command again`,
    );
}

export async function writeState(paths: LabPaths, state: LabState): Promise<void> {
  writeWhole(paths.stateFile, `${JSON.stringify(state, null, 2)}\n`, { durable: true });
}

export async function removeState({ stateFile, emulatorKey }: LabPaths): Promise<void> {
  await rm(emulatorKey, { force: true });
  await rm(stateFile, { force: true });
}
