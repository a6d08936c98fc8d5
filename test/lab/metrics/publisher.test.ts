import fs, { rmSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { join } from 'node:path';
import type { CloudWatchClient, PutMetricDataCommandInput } from '@aws-sdk/client-cloudwatch';
import { createPublisher, type PublishedStorage } from '../../../lib/lab/metrics/publisher';
import { storageNamed } from '../../../lib/storage/lookup';
import type { MetricsCapability } from '../../../lib/storage/storage';
import { temporaryFolder } from '../../run/bench';

const PERIOD = 3;
const PATH = process.env.PATH;
let folder: string;
let seconds: number;

beforeEach(() => {
  folder = temporaryFolder();
  seconds = 3001;
  jest.spyOn(Date, 'now').mockImplementation(() => seconds * 1000);
});
afterEach(() => {
  process.env.PATH = PATH;
  jest.restoreAllMocks();
});

const storage = (fileSystemId: string): PublishedStorage => ({
  fileSystemId,
  mountPoint: folder,
  compressed: false,
  service: storageNamed('lustre').monitoring?.metrics as MetricsCapability,
});

/** A publisher, and what it has published of a metric: file system, second of the period, value. */
function publisher(storages: readonly PublishedStorage[], metric: string, slowness = 0) {
  const published: [string | undefined, number, number | undefined][] = [];
  const client = {
    send: async ({ input: { MetricData = [] } }: { input: PutMetricDataCommandInput }) => {
      for (const { MetricName, Dimensions, Timestamp, Value } of MetricData)
        if (MetricName === metric) published.push([Dimensions?.[0]?.Value, Number(Timestamp) / 1000, Value]);
      seconds += slowness;
    },
  } as unknown as CloudWatchClient;
  return { published, publish: createPublisher({ client, storages, periodSeconds: PERIOD }).publishOnce };
}

test('a storage that others kept waiting has the period that ended before it was read', async () => {
  const { published, publish } = publisher([storage('fs-1'), storage('fs-2')], 'StorageCapacityUtilization', 5);
  await publish();
  expect(published.map(([id, at]) => [id, at])).toEqual([
    ['fs-1', 2997],
    ['fs-2', 3003],
  ]);
  // Still within that of the second.
  seconds = 3008;
  expect(await publish()).toBe(0);
});

test('bytes over a link that did not answer once fall into the period of its next answer', async () => {
  // In the place of a server's end of the link: `ip` prints what it has received, or fails.
  const received = join(folder, 'received');
  const answer = `[{"stats64":{"rx":{"bytes":'"$(cat ${received})"'},"tx":{"bytes":0}}}]`;
  writeFileSync(join(folder, 'ip'), `#!/bin/sh\n[ -e ${received} ] && echo '${answer}'\n`, { mode: 0o755 });
  process.env.PATH = `${folder}:${PATH}`;
  const served = { disk: folder, metadata: folder, address: '198.18.0.1', namespace: 'fsxbench-nowhere' };
  const { published, publish } = publisher([{ ...storage('fs-1'), served }], 'DataWriteBytes');
  for (const bytes of [100, 250, null, 1000, 1000]) {
    if (bytes === null) rmSync(received);
    else writeFileSync(received, `${bytes}`);
    await publish();
    seconds += PERIOD;
  }
  expect(published).toEqual([
    ['fs-1', 3000, 150],
    ['fs-1', 3006, 750],
    ['fs-1', 3009, 0],
  ]);
});

test('bytes written to a disk are its sectors, not the requests that the kernel merged', async () => {
  // Requests, merged ones, sectors and milliseconds of reads, then of writes (Linux, Documentation/block/stat).
  const stat = ['10 7 80 1 20 8 160 1', '10 7 80 1 24 12 192 1'];
  jest.spyOn(fs, 'readFileSync').mockReturnValue(`/dev/loop9 ${folder} ext4 rw 0 0\n`);
  jest
    .spyOn(promises, 'readFile')
    .mockImplementation(async (path) => (String(path).endsWith('loop9/stat') && stat.shift()) || '');
  const { published, publish } = publisher([storage('fs-1')], 'DiskWriteBytes');
  await publish();
  seconds += PERIOD;
  await publish();
  expect(published).toEqual([['fs-1', 3000, 32 * 512]]);
});
