import * as z from 'zod';
import { number, type Of, text } from './document';
import { scaleModelSchema } from './model';
import { name } from './names';

/**
 * A client's facts about itself: `/etc/fsxbench/client.json`, written at the end of its boot, or by the lab. From this file alone, the driver learns
 * how to start processes, and the arms' mounts.
 */
export const clientSchema = z.object({
  schema: z.literal('fsxbench.client/1'),
  /** Name of the launcher that starts processes (lib/fleet/launchers.ts), such as `ssh`, or `local` for everything on this computer. */
  launch: text,
  /** The run's clients, if they belong to no deployment. @default - the launcher knows them */
  machines: z
    .object({
      /** The option that named them, with its value: run again, it finds them again. */
      option: text,
      wanted: text,
      names: z.array(name).min(1),
      /** PATH of processes there, if a session has another: that of the user who started the run. */
      path: text,
      /** Other variables that the programs on that PATH need, such as LD_LIBRARY_PATH. @default - none */
      variables: z.record(text, z.string()).optional(),
    })
    .optional(),
  /** PATH and environment modules of the shell that started the run, if a resumed run needs the same. @default - tools are on every PATH */
  session: z.object({ path: text, modules: z.array(text) }).optional(),
  /** False if clients have no boot process that a run must wait for. @default true */
  boots: z.boolean().optional(),
  /** The unprivileged user that MPI runs as; `null`: the user who runs the driver. */
  user: text.nullable(),
  /** Directory of the client scripts: `/opt/fsxbench` with `bin/` below. */
  home: text,
  /** CIDR for Open MPI's `btl_tcp_if_include`; `null` when launched locally. */
  networkCidr: text.nullable(),
  arms: z.record(
    text,
    z.object({
      mountPoint: text,
      /** The type of what is mounted there (lib/storage/filesystem.ts): decides how data are laid out and space is read back. */
      filesystem: text,
      /** The mount that holds it, as in /proc/self/mounts: without it, the same path is on another disk. @default - not checked */
      mountedAt: z.object({ mountPoint: text, type: text, device: text }).optional(),
      /** For people: `btrfs compress-force=lzo on a loop device`. */
      actually: text,
      /** The kind of storage that was deployed. @default - not recorded, or a directory that the user named */
      kind: text.optional(),
      /** The limits that the lab's scale model sets. @default - none */
      model: scaleModelSchema.optional(),
      /** Given a directory of it, prints what its data take as `compsize -b` does. @default - as the file system's type has it */
      spaceCommand: z.array(text).optional(),
      /** Its servers, if programs can run on them. @default - they are managed, and cannot run any */
      servers: z
        .object({
          /** Beginning of a command that runs a program of the first server; the program's name follows (docs/extending/storage.md). */
          command: z.array(text),
          /** Beginnings of commands on the further servers, whose counters count as well. @default - one server */
          others: z.array(z.array(text)).optional(),
          /** Name of the arm's file system in the servers' programs. @default - they have no programs that take one */
          fileSystem: text.optional(),
          /** Components of their processor time, in words that complete "processor time of …". */
          cpu: text,
        })
        .optional(),
    }),
  ),
  /** Notices about this client for readers of a run's results. @default - none */
  notices: z.array(text).optional(),
  /** Version of each installed tool, such as `{"ior": "3.3.0", "mdtest": "3.3.0", "openmpi": "4.1.8", "fio": "3.33"}`. Other tools have no key. */
  tools: z.record(text, text),
});
export type ClientConfig = Of<typeof clientSchema>;

/**
 * The record of a started run, in a place that its clients cannot write to. A run's folder, which they can modify, never decides where anything runs
 * (docs/decisions/known-by-hash.md).
 */
export const startSchema = z.object({
  schema: z.literal('fsxbench.start/1'),
  benchmark: name,
  run: name,
  /** SHA-256 of `plan.json`, byte for byte. */
  planSha256: text.regex(/^[0-9a-f]{64}$/),
  /** Id of the stack whose fleet it runs on; `null` for a local run. */
  stack: text.nullable(),
  /** This computer, or machines that the user named, as the clients of a local run, with the directory of each arm; `null` for a run on a fleet. */
  client: clientSchema
    .refine(({ launch, machines }) => launch === 'local' || machines, 'must be launched locally, or on named nodes')
    .nullable(),
  /** Results folder of a local run, with the lock of its driver. @default - not recorded */
  folder: text.optional(),
});
export type StartRecord = Of<typeof startSchema>;

/** State of a driver that is a job of a scheduler: `queue.json`, written next to the run by assets/client/lib/watch-queue.mjs. */
export const queueSchema = z.object({
  schema: z.literal('fsxbench.queue/1'),
  job: text,
  /** State in squeue's words, such as `PENDING`; `GONE` once the scheduler has forgotten the job. */
  state: text,
  /** True once the job has left the queue, and will not come back. */
  ended: z.boolean(),
  /** Why it waits, in the scheduler's word; empty if it does not. */
  reason: text,
  restarts: number,
  nodes: text,
  updatedAt: text,
});
export type QueueStatus = Of<typeof queueSchema>;
