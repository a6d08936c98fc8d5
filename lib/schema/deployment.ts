import * as z from 'zod';
import { count, number, type Of, objectOf, text } from './document';
import { bucketName, name } from './names';

/** A UTC time, as `fsxbench extend` and the state machine write it to the deadline's parameter. Any other text restarts the time. */
export const DEADLINE =
  /^([0-9]{2}([02468][048]|[13579][26])-02-29|[0-9]{4}-((0[13578]|1[02])-31|(0[13-9]|1[0-2])-(29|30)|(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])))T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?Z$/;

/** Facts that a benchmark stack publishes: the JSON value of the SSM parameter in its output `Deployment`, at most 4,096 bytes. */
export const deploymentSchema = z.object({
  schema: z.literal('fsxbench.deployment/1'),
  benchmark: name,
  scale: name,
  bucket: bucketName,
  document: name,
  /** Kind of the fleet. @default - the first of lib/fleet/registry.ts */
  fleet: text.optional(),
  /** Id of the instance that starts drivers. @default - the first client */
  leader: name.optional(),
  /** Slurm's name of the queue whose nodes are the clients. @default - the clients do not belong to a cluster */
  queue: name.optional(),
  /** `null` for a fleet that is not an Auto Scaling group. */
  autoScalingGroup: text.nullable(),
  instanceType: text,
  /** The requested image: an id, or `resolve:ssm:` with the parameter of the newest one. The manifest of a run has the image that each client booted. */
  image: text,
  clients: count,
  /** MPI processes on each client that the configuration asks for. */
  ranksPerClient: count,
  iorVersion: text,
  dashboard: text,
  logGroup: text,
  /** List price of the whole stack an hour; `null` when one of its prices is unknown. */
  hourlyUsd: number.nullable(),
  /** Date and source of the prices, for people. @default - not recorded, or there is no price */
  priceBasis: text.optional(),
  /** When the stack deletes itself. @default - never */
  expiry: z
    .object({
      /** Hours from the deployment on, by the setting. */
      hours: number,
      /** Hours from the stack's creation that its budget pays for. @default - no budget */
      budgetHours: number.optional(),
      /** Name of the parameter that holds the time as the expiry writes it, `2030-12-31T18:00:00Z`, once the first look at the stack has set it. */
      deadline: name,
    })
    .optional(),
  arms: z.array(
    z.object({
      name,
      description: text,
      fileSystemId: name,
      mountPoint: text,
      /** The requested configuration, from which a plan derives its limits. */
      configuration: objectOf<StorageConfiguration>(),
      hourlyUsd: number.nullable(),
    }),
  ),
});
export type Deployment = Of<typeof deploymentSchema>;

/** Name of the stack output that holds the name of the SSM parameter with the {@link Deployment}. */
export const DEPLOYMENT_OUTPUT = 'Deployment';

export const ALARM_TOPIC_OUTPUT = 'AlarmTopic';

/** A storage as requested: in an arm's definition, and as `configuration` in documents. Each kind adds fields (lib/storage/<kind>). */
export interface StorageConfiguration {
  /** `lustre`, `directory` … (lib/storage/registry.ts) */
  readonly kind: string;
}
