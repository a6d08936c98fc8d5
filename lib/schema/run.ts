import * as z from 'zod';
import { moment, number, type Of, record, text } from './document';
import { scaleModelSchema } from './model';
import { address, bucketName, name } from './names';

/** One driver's work on a run, in ISO 8601. */
const sessionSchema = z.object({
  startedAt: moment,
  /** `null` while it works; for a driver that was killed, its last update. */
  endedAt: moment.nullable(),
  /** Duration by a monotonic clock. @default - not recorded: the time between the two moments */
  seconds: number.optional(),
  /** Outcome; `killed` is what the next session concludes. @default - not recorded, or it has not ended */
  end: z.enum(['done', 'failed', 'interrupted', 'killed']).optional(),
  /** Disturbances of the session: `stopped`, `clock`, `leftovers`, `reboot`, …. @default - none */
  events: z.array(z.object({ at: moment, kind: text, message: text })).optional(),
});
export type RunSession = Of<typeof sessionSchema>;

/** The progress of a run: `status.json`, rewritten at every step and every few seconds within one. Older releases did not record all fields. */
export const statusSchema = z.object({
  schema: z.literal('fsxbench.status/1'),
  run: name,
  benchmark: name,
  /** `interrupted` and `failed` runs can be resumed; `failed` means that the driver went to its end and some steps have no value. */
  state: z.enum(['starting', 'running', 'interrupted', 'failed', 'done']),
  step: text.nullable(),
  phase: text.nullable().optional(),
  stepsDone: number,
  stepsTotal: number,
  failedSteps: z.array(text),
  startedAt: text,
  updatedAt: text,
  endedAt: text.nullable(),
  /** A run that is resumed has several, the last one under way. @default - written by a version that kept the last one only */
  sessions: z.array(sessionSchema),
  etaSeconds: number.nullable().optional(),
  /** Both ends of `etaSeconds`, far apart until steps of each kind are done. @default - not recorded */
  etaLowSeconds: number.optional(),
  etaHighSeconds: number.optional(),
  message: text,
  /** Host and process of the driver, to find its log. @default - not recorded */
  driver: z.object({ host: text, pid: number }).optional(),
});
export type RunStatus = Of<typeof statusSchema>;

/** The service's own description of a deployed resource, unmodified. */
export type Described = Of<typeof record>;

const deployedArmSchema = z.object({
  name,
  description: text,
  /** The kind of its storage. Older releases wrote `fsx-lustre` and `local`: `storageNamed` knows these as well. */
  kind: text,
  fileSystemId: name.nullable(),
  describe: record.nullable(),
  /** List price; `null` with a reason. */
  hourlyUsd: number.nullable(),
  hourlyReason: text.optional(),
  /** Mounted file system as the client sees it: `btrfs compress-force=lzo on a loop device` in the lab. */
  actually: text.nullable(),
  /** Files whose metadata its service imported from a bucket before the run; `null` if it no longer knows. @default - it imports nothing */
  importedFiles: number.nullable().optional(),
  /** The scale model that the lab applied to it. @default - none */
  model: scaleModelSchema.optional(),
  /** Components of its servers' processor time. @default - their processor time cannot be read */
  serverCpu: text.optional(),
});
export type DeployedArm = Of<typeof deployedArmSchema>;

/** The deployment when the run started: `manifest.json`. Older releases did not record all fields. */
export const manifestSchema = z.object({
  schema: z.literal('fsxbench.manifest/1'),
  run: name,
  benchmark: name,
  /** True when an emulator replaced AWS: nothing in it cost money, no rate in it is Amazon's. */
  lab: z.boolean(),
  stack: z
    .object({
      name: text,
      id: text,
      /** List price of all of it. @default - not recorded: what is known are the arms and the fleet */
      hourlyUsd: number.nullable().optional(),
      /** Date and source of the prices, for people. @default - not recorded, or there is no price */
      priceBasis: text.optional(),
    })
    .nullable(),
  region: text.nullable(),
  account: text.nullable().optional(),
  arms: z.array(deployedArmSchema),
  fleet: z.object({
    /** Kind of the fleet. @default - the first of lib/fleet/registry.ts, or this computer */
    kind: text.optional(),
    /** Id of the instance that starts drivers. @default - the first client */
    leader: name.optional(),
    autoScalingGroup: text.nullable().optional(),
    instanceType: text.nullable(),
    /** Clients that belong to no deployment, and the option that asked for them: `--nodes 2`. @default - there are none */
    machines: z.object({ asked: text, names: z.array(name) }).optional(),
    /** Image of all clients; several, with a comma between them, if clients differ. */
    image: text.nullable(),
    clients: z.array(
      z.object({
        instanceId: name,
        privateIp: address,
        /** The image that it booted. @default - not recorded */
        image: text.optional(),
      }),
    ),
    hourlyUsd: number.nullable(),
    hourlyReason: text.optional(),
  }),
  bucket: bucketName.nullable().optional(),
  document: name.nullable().optional(),
  dashboard: text.nullable().optional(),
  /** Seconds between two points of the metrics: 60 on AWS, fewer in the lab. @default - not recorded */
  metricsPeriodSeconds: number.optional(),
  tools: z.record(text, text),
  /** The release of fsxbench that started the run. @default - not recorded */
  fsxbench: z.object({ version: text, commit: text.nullable() }).optional(),
  /** Reservations that a reader must know, such as that this is a lab run. */
  notices: z.array(text),
});
export type Manifest = Of<typeof manifestSchema>;
