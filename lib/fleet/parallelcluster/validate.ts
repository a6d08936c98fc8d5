import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const verdictsSchema = z.array(
  z.object({
    accepted: z.boolean(),
    problems: z.array(z.object({ level: z.string(), validator: z.string(), message: z.string() })),
    /** Validators that had all they ask for. */
    ran: z.array(z.string()),
    /** Validators that ask the account: neither passed nor failed. */
    skipped: z.array(z.string()),
  }),
);

/** Verdict of ParallelCluster's own code on a configuration, without AWS. */
export type Verdict = z.infer<typeof verdictsSchema>[number];

/** Command that installs ParallelCluster's code. */
export const INSTALL = 'node scripts/lib/pythonTools.mjs parallelcluster';

/** Loading its package takes most of it. */
const SECONDS = 300;
const MEGABYTES = 16;

/** A configuration each, in order; `null` if ParallelCluster's code is not installed. @throws Error with what it printed when it broke */
export function validateOffline(root: string, configurations: readonly object[]): readonly Verdict[] | null {
  const packages = join(root, '.lab/parallelcluster');
  const python = join(root, '.lab/venv/bin/python');
  if (!existsSync(join(packages, 'fsxbench-stamp')) || !existsSync(python)) return null;
  const { status, stdout, stderr } = spawnSync(python, [join(root, 'assets/parallelcluster/validate.py')], {
    input: JSON.stringify(configurations),
    encoding: 'utf8',
    timeout: SECONDS * 1000,
    maxBuffer: MEGABYTES * 2 ** 20,
    env: { ...process.env, PYTHONPATH: packages },
  });
  if (status === 0) return verdictsSchema.parse(JSON.parse(stdout));
  throw new Error(`ParallelCluster's validators broke: ${stderr.trim().split('\n').slice(-3).join('\n')}`);
}
