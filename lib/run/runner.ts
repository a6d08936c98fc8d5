import { setTimeout as sleep } from 'node:timers/promises';
import type { SSMClient } from '@aws-sdk/client-ssm';
import { BOUNDED } from '../common/aws/connection';
import { readText, readTextOrNull } from '../schema/document';
import type { Manifest, RunStatus } from '../schema/run';
import { S3Store } from '../store/bucket';
import { QUEUE, STATUS } from '../store/documents';
import { prefixOf, type RunReference } from '../store/record';
import { withQueue } from './clients/launch';
import { stopwatch } from './driver/clock';

/** SHA-256 of a driver's input files: the leader accepts nothing else, since clients may write to their location. */
export interface RunSums {
  readonly plan: string;
  readonly manifest: string;
  readonly driver: string;
}

export interface Runner {
  /** Starts the driver unless one is already running; returns once it runs independently. */
  start(reference: RunReference, sums: RunSums): Promise<void>;
  /** The driver's latest status; `null` before its first. */
  status(reference: RunReference): Promise<RunStatus | null>;
}

/** Timeout of the document in seconds: it only fetches three files and starts a process. */
const START_SECONDS = 300;

/** Sends the stack's own document to the leader, which then works independently of this computer. */
export class SsmRunner implements Runner {
  constructor(
    private readonly bucket: string,
    private readonly document: string,
    private readonly leader: string,
  ) {}

  async start({ benchmark, run }: RunReference, { plan, manifest, driver }: RunSums): Promise<void> {
    const { SSMClient, SendCommandCommand, InvalidInstanceId } = await import('@aws-sdk/client-ssm');
    const ssm = new SSMClient(BOUNDED);
    const command = new SendCommandCommand({
      DocumentName: this.document,
      InstanceIds: [this.leader],
      Parameters: {
        Benchmark: [benchmark],
        RunId: [run],
        Bucket: [this.bucket],
        Sums: [`${plan} ${manifest} ${driver}`],
      },
      Comment: `fsxbench ${benchmark} ${run}`.slice(0, 100),
      TimeoutSeconds: 60,
    });
    const { Command } = await ssm.send(command).catch((error: unknown) => {
      if (!(error instanceof InvalidInstanceId)) throw error;
      throw new Error(
        `the leader ${this.leader} is not registered with Systems Manager: it is still booting, or has just been replaced. ` +
          "Start the run again in a few minutes; if that persists, look for the instance in 'aws ssm describe-instance-information'",
      );
    });
    await this.started(ssm, Command?.CommandId);
  }

  private async started(ssm: SSMClient, commandId: string | undefined): Promise<void> {
    const { GetCommandInvocationCommand, InvocationDoesNotExist } = await import('@aws-sdk/client-ssm');
    const time = stopwatch();
    while (time.seconds() < START_SECONDS) {
      const invocation = await ssm
        .send(new GetCommandInvocationCommand({ CommandId: commandId, InstanceId: this.leader }))
        .catch((error: unknown) => {
          if (error instanceof InvocationDoesNotExist) return null; // does not exist yet
          throw error;
        });
      if (invocation?.Status === 'Success') return;
      if (invocation && !['Pending', 'InProgress', 'Delayed'].includes(invocation.Status ?? '')) {
        const output = invocation.StandardErrorContent || invocation.StandardOutputContent || '';
        const said = output.trim().split('\n').slice(-5).join('\n');
        throw new Error(
          `the leader ${this.leader} did not start the driver (${invocation.Status}): ${said || 'no output'}`,
        );
      }
      await sleep(500);
    }
    throw new Error(
      `the leader ${this.leader} did not answer within ${START_SECONDS} s: is its SSM agent online? ('aws ssm describe-instance-information')`,
    );
  }

  async status(reference: RunReference): Promise<RunStatus | null> {
    const store = new S3Store(this.bucket);
    const get = async (file: string) => (await store.get(`${prefixOf(reference)}/${file}`))?.toString('utf8');
    const [status, queue] = await Promise.all([get(STATUS.file), get(QUEUE.file)]);
    return withQueue(
      reference,
      status ? readText(STATUS.schema, status) : null,
      queue ? readTextOrNull(QUEUE.schema, queue) : null,
    );
  }
}

/** Id of the instance that starts a fleet's drivers; `undefined` for this computer. */
export const firstClientOf = ({ leader, clients }: Manifest['fleet']): string | undefined =>
  leader ?? clients[0]?.instanceId;

/** Ids sort by time; the suffix distinguishes two of the same second. */
export function newRunId(plan: string, now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const tail = Math.floor(Math.random() * 36 ** 4).toString(36);
  return `${time}-${plan}-${tail.padStart(4, '0')}`;
}
