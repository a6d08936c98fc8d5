import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchClient, type MetricDatum, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { METRICS_PERIOD } from '../../schema/metrics';
import type { ScaleModel } from '../../schema/model';
import type { MetricsCapability } from '../../storage/storage';
import { type CountedStorage, type Counters, counterReader } from './counters';
import { beginningOf, type DataPoint, dataOf } from './data';

/** Margin for timers that fire early, since the period must have ended. */
const AFTER_PERIOD_MS = 20;

/** A local file system, and the emulated one under whose name its counters are published. */
export interface PublishedStorage extends CountedStorage {
  readonly fileSystemId: string;
  /** What its service publishes: only that, and in its namespace. */
  readonly service: Pick<MetricsCapability, 'namespace' | 'table' | 'identity'>;
  /** What is held of it, which says how busy its servers are. @default - nothing is held */
  readonly model?: ScaleModel;
}

/** Options of `createPublisher`. */
interface PublisherOptions {
  readonly client: CloudWatchClient;
  readonly storages: readonly PublishedStorage[];
  /** @default 5 seconds */
  readonly periodSeconds?: number;
}

/** Publishes the counters of the lab's storages as FSx publishes its own. */
interface Publisher {
  /**
   * Publishes the data points of the period that just ended and returns their number. A second call within a period publishes none,
   * since FSx publishes each gauge once per period, and sums rely on that.
   */
  publishOnce(): Promise<number>;
}

/**
 * Publishes the metrics of FSx from this machine's own counters.
 *
 * Only metrics that can be measured are published. Of a local file system these are bytes and operations of its disk and its space, and on
 * XFS created and removed entries. The servers of a scale model are apart from its clients, so what comes to them can be counted: bytes on
 * their end of the link, operations that their metadata server answered, and how busy link, disks and that server are.
 */
export function createPublisher({ client, storages, periodSeconds = METRICS_PERIOD.lab }: PublisherOptions): Publisher {
  const readers = storages.map((storage) => ({
    storage,
    read: counterReader(storage),
    before: null as Counters | null,
  }));
  const periodMs = periodSeconds * 1000;
  let published = 0;
  return {
    async publishOnce() {
      const period = Math.floor(Date.now() / periodMs) * periodMs - periodMs;
      if (period === published) return 0;
      published = period;
      let count = 0;
      // One after the other: many at once would disturb what is measured.
      for (const reader of readers) {
        const { service, fileSystemId, model = null } = reader.storage;
        const now = await reader.read();
        const known = new Set(service.table.map(({ name }) => name));
        const data = dataOf(reader.before, now, model)
          .filter(({ name }) => known.has(name))
          .map((point) => datum(point, service.identity(fileSystemId), new Date(period)));
        reader.before = beginningOf(reader.before, now);
        if (data.length > 0)
          await client.send(new PutMetricDataCommand({ Namespace: service.namespace, MetricData: data }));
        count += data.length;
      }
      return count;
    },
  };
}

function datum(
  { name, value, unit, of }: DataPoint,
  identity: Readonly<Record<string, string>>,
  at: Date,
): MetricDatum {
  const dimensions = { ...identity, ...(of === null ? {} : { [of.dimension]: of.value }) };
  return {
    MetricName: name,
    Value: value,
    Unit: unit,
    Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
    Timestamp: at,
    StorageResolution: 1,
  };
}

/** Waits until the period is over, so that the next call of `publishOnce` has one to publish. */
export async function endOfPeriod(periodSeconds: number = METRICS_PERIOD.lab): Promise<void> {
  const periodMs = periodSeconds * 1000;
  await sleep(periodMs - (Date.now() % periodMs) + AFTER_PERIOD_MS);
}

/** A CloudWatch client of the emulator. */
export function emulatorCloudWatch(environment: NodeJS.ProcessEnv): CloudWatchClient {
  return new CloudWatchClient({
    endpoint: environment.AWS_ENDPOINT_URL,
    region: environment.AWS_REGION,
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
    },
  });
}
