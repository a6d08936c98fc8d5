import { BOUNDED } from '../../common/aws/connection';
import { DRIVER_METRICS } from '../../schema/metrics';
import type { RunStatus } from '../../schema/run';

/** Seconds between two data points: CloudWatch's standard resolution. */
const PERIOD_SECONDS = 60;

/** Publishes `RunActive` (1 while a step runs) and `StepsDone` each minute, by `Stack`, for alarms. Never fails a run: the last error is kept. */
export class Heartbeat {
  private timer: NodeJS.Timeout | null = null;
  private status: RunStatus | null = null;
  lastError: string | null = null;

  constructor(private readonly stack: string) {}

  start(): void {
    this.timer = setInterval(() => void this.publish(), PERIOD_SECONDS * 1000);
  }

  /** Records a change; publishes the first and the last immediately. */
  async note(status: RunStatus): Promise<void> {
    const first = this.status === null;
    this.status = status;
    if (first || status.endedAt !== null) await this.publish();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  private async publish(): Promise<void> {
    if (!this.status) return;
    const { CloudWatchClient, PutMetricDataCommand } = await import('@aws-sdk/client-cloudwatch');
    const { namespace: Namespace, runActive, stepsDone } = DRIVER_METRICS;
    const Dimensions = [{ Name: 'Stack', Value: this.stack }];
    const common = { Dimensions, Unit: 'Count' as const, Timestamp: new Date() };
    const MetricData = [
      { ...common, MetricName: runActive, Value: this.status.endedAt === null ? 1 : 0 },
      { ...common, MetricName: stepsDone, Value: this.status.stepsDone },
    ];
    try {
      await new CloudWatchClient(BOUNDED).send(new PutMetricDataCommand({ Namespace, MetricData }));
      this.lastError = null;
    } catch (error) {
      this.lastError = error instanceof Error ? error.message : String(error);
    }
  }
}
