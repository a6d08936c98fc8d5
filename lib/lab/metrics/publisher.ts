import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudWatchClient,
  type MetricDatum,
  PutMetricDataCommand,
  type StandardUnit,
} from '@aws-sdk/client-cloudwatch';
import { BOUNDED } from '../../common/aws/bounded';
import { METRICS_PERIOD } from '../../schema/metrics';
import type { ScaleModel } from '../../schema/model';
import type { MetricsCapability } from '../../storage/metrics';
import { type CountedStorage, type Counters, counterReader } from './counters';
import { beginningOf, type DataPoint, dataOf } from './data';

/** Margin for timers that fire early, since the period must have ended. */
const AFTER_PERIOD_MS = 20;

/** A local file system, and the emulated one under whose name its counters are published. */
export interface PublishedStorage extends CountedStorage {
  readonly fileSystemId: string;
  /** Metrics that its service publishes; no others, and in its namespace. */
  readonly service: MetricsCapability;
  /** Throttled rates, from which the load of its servers follows. @default - nothing is held */
  readonly model?: ScaleModel;
}

/** Options of `createPublisher`. */
interface PublisherOptions {
  readonly client: CloudWatchClient;
  readonly storages: readonly PublishedStorage[];
  /** Publishes the load of the clients in a period. @default - nobody does */
  readonly publishClients?: (at: Date) => Promise<number>;
  /** @default METRICS_PERIOD.lab */
  readonly periodSeconds?: number;
}

/** Publishes the counters of the lab's storages as their services publish their own. */
interface Publisher {
  /**
   * Publishes the data points of the period that just ended and returns their number. A second call within a period publishes none,
   * since FSx publishes each gauge once per period, and sums rely on that.
   */
  publishOnce(): Promise<number>;
}

/**
 * Publishes the metrics of services from this machine's own counters.
 *
 * Only metrics that can be measured are published. Of a local file system these are bytes and operations of its disk and its space, and on
 * XFS created and removed entries; what the servers of a stand-in count, its program says. The servers of a scale model are apart from its clients, so what comes to them can be counted: bytes on
 * their end of the link, operations that their metadata server answered, and how busy link, disks and that server are.
 */
export function createPublisher({
  client,
  storages,
  publishClients,
  periodSeconds = METRICS_PERIOD.lab,
}: PublisherOptions): Publisher {
  const readers = storages.map((storage) => ({
    storage,
    read: counterReader(storage),
    before: null as Counters | null,
  }));
  const periodMs = periodSeconds * 1000;
  const lastEnded = (): number => Math.floor(Date.now() / periodMs) * periodMs - periodMs;
  let published = 0;
  return {
    async publishOnce() {
      if (lastEnded() === published) return 0;
      published = lastEnded();
      let count = (await publishClients?.(new Date(published))) ?? 0;
      // One after the other: many at once would disturb what is measured.
      for (const reader of readers) {
        const { service, fileSystemId, model = null } = reader.storage;
        // On a busy machine those before it may have taken longer than a period.
        published = lastEnded();
        const now = await reader.read();
        // A link that does not answer has this period's bytes in the next.
        if (now.link === null && reader.before?.link) continue;
        const data = datums(dataOf(reader.before, now, model), service, fileSystemId, new Date(published));
        reader.before = beginningOf(reader.before, now);
        if (data.length > 0)
          await client.send(new PutMetricDataCommand({ Namespace: service.namespace, MetricData: data }));
        count += data.length;
      }
      return count;
    },
  };
}

/** The points that a service has metrics for, as it publishes them. */
export function datums(
  points: readonly DataPoint[],
  service: MetricsCapability,
  resourceId: string,
  at: Date,
): MetricDatum[] {
  // Of several resources behind one storage, the lab has one in the place of all.
  const identity = service.identity(service.parts?.(resourceId)[0] ?? resourceId);
  const data: MetricDatum[] = [];
  for (const { role, value, of } of points) {
    const metric = service.table.find((one) => one.role === role);
    if (metric === undefined) continue;
    const apart = of !== null && (service.dimensions?.(metric.name) ?? []).includes(of.dimension);
    // What the service does not tell apart, it publishes once.
    if (of !== null && !apart && data.some(({ MetricName }) => MetricName === metric.name)) continue;
    const dimensions = { ...identity, ...(apart ? { [of.dimension]: of.value } : {}) };
    data.push({
      MetricName: metric.name,
      Value: value,
      Unit: metric.unit as StandardUnit,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      Timestamp: at,
      StorageResolution: 1,
    });
  }
  return data;
}

/** Waits until the period is over, so that the next call of `publishOnce` has one to publish. */
export async function endOfPeriod(): Promise<void> {
  const periodMs = METRICS_PERIOD.lab * 1000;
  await sleep(periodMs - (Date.now() % periodMs) + AFTER_PERIOD_MS);
}

/** A CloudWatch client of the emulator. */
export const emulatorCloudWatch = (environment: NodeJS.ProcessEnv): CloudWatchClient =>
  new CloudWatchClient({
    ...BOUNDED,
    endpoint: environment.AWS_ENDPOINT_URL,
    region: environment.AWS_REGION,
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
    },
  });
