import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { estimateCompression } from '../../lib/estimate';
import { makeRandom } from '../../lib/estimate/random';
import type { Estimate } from '../../lib/estimate/result';
import { wordsText } from './random';

const words = wordsText(makeRandom(8), 20_000_000);
const OBJECTS: Readonly<Record<string, { body: Buffer; storageClass?: string }>> = {
  'run1/': { body: Buffer.alloc(0) },
  'run1/a.txt': { body: words },
  'run1/sub/b größe.txt': { body: words.subarray(0, 1_000_000) },
  'run1/cold.bin': { body: words.subarray(0, 500), storageClass: 'DEEP_ARCHIVE' },
  'run1/denied.txt': { body: words.subarray(0, 500) },
  'run10/other.txt': { body: words.subarray(0, 700) },
};

let server: Server;
const ranges: string[] = [];
const before = { ...process.env };

/** As much of S3 as is used: a list in pages of two, and ranges of objects. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://s3');
    const key = decodeURIComponent(url.pathname.replace(/^\/data\/?/, ''));
    if (url.searchParams.get('list-type') === '2') {
      const keys = Object.keys(OBJECTS).filter((each) => each.startsWith(url.searchParams.get('prefix') ?? ''));
      const from = Number(url.searchParams.get('continuation-token') ?? 0);
      const contents = keys.slice(from, from + 2).map((each) => {
        const { body, storageClass = 'STANDARD' } = OBJECTS[each] as { body: Buffer; storageClass?: string };
        return `<Contents><Key>${each}</Key><Size>${body.length}</Size><StorageClass>${storageClass}</StorageClass></Contents>`;
      });
      const more = from + 2 < keys.length;
      response.end(
        `<ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join('')}` +
          `${more ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''}</ListBucketResult>`,
      );
      return;
    }
    const object = OBJECTS[key];
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (object === undefined || range === null || key.includes('denied')) {
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
      return;
    }
    ranges.push(`${key} ${range[0]}`);
    const part = object.body.subarray(Number(range[1]), Number(range[2]) + 1);
    response.writeHead(206, { 'content-length': part.length });
    response.end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
});
afterAll(async () => {
  process.env = before;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const estimate = (path: string, options: object = {}): Promise<Estimate> =>
  estimateCompression({ paths: [path], recordBytes: [131_072], workers: 0, ...options });

test('reads a prefix by ranges, and not a neighbour that begins alike', async () => {
  const { files, logicalBytes, ratio, unreadable, perFile } = await estimate('s3://data/run1', { perFile: true });
  expect({ files, logicalBytes }).toEqual({ files: 2, logicalBytes: 21_000_000 });
  expect(ratio).toBeGreaterThan(1);
  expect(perFile?.map(({ path }) => path).sort()).toEqual(['s3://data/run1/a.txt', 's3://data/run1/sub/b größe.txt']);
  expect(ranges).toContain('run1/a.txt bytes=16777216-19999999');
  expect(unreadable).toEqual([
    { path: 's3://data/run1/cold.bin', reason: 'archived in DEEP_ARCHIVE: restore it first' },
    { path: 's3://data/run1/denied.txt', reason: 'permission denied' },
  ]);
});

test('an address may name one object', async () => {
  ranges.length = 0;
  const full = await estimate('s3://data/run1/a.txt');
  const read = ranges.length;
  expect(read).toBe(2);
  expect(full.logicalBytes).toBe(20_000_000);
});

test('a prefix that holds nothing is named', async () => {
  const { files, unreadable } = await estimate('s3://data/nothing');
  expect({ files, unreadable }).toEqual({
    files: 0,
    unreadable: [{ path: 's3://data/nothing', reason: 'no object has this name or prefix' }],
  });
});
