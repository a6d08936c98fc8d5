import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { estimateCompression, makeRandom } from '../../../lib/estimate';
import type { Estimate } from '../../../lib/estimate/result';
import { s3ReasonOf } from '../../../lib/estimate/source/s3';
import { wordsText } from '../random';

const words = wordsText(makeRandom(8), 20_000_000);
const OBJECTS: Readonly<Record<string, { body: Buffer; storageClass?: string; restored?: boolean }>> = {
  'run1/': { body: Buffer.alloc(0) },
  'run1/a.txt': { body: words },
  'run1/sub/b größe.txt': { body: words.subarray(0, 1_000_000) },
  'run1/cold.bin': { body: words.subarray(0, 500), storageClass: 'DEEP_ARCHIVE' },
  'run1/denied.txt': { body: words.subarray(0, 500) },
  'thawed/a.bin': { body: words.subarray(0, 900), storageClass: 'GLACIER', restored: true },
  'half/loud.bin': { body: words.subarray(0, 900) },
  'half/silent.bin': { body: words.subarray(0, 900) },
  // A folder has no content; an object with some may be called like one.
  'thawed/b/': { body: words.subarray(0, 100) },
  'run10/other.txt': { body: words.subarray(0, 700) },
};

let server: Server;
const ranges: string[] = [];
/** Answers of buckets other than `data`. */
let refusal = { status: 404, code: 'NoSuchBucket' };
const before = { ...process.env };

/** The part of S3 that is used: a list in pages of two, and ranges of objects. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://s3');
    const key = decodeURIComponent(url.pathname.replace(/^\/data\/?/, ''));
    if (url.pathname.startsWith('/silent') || key.includes('silent')) return;
    if (!url.pathname.startsWith('/data')) {
      response.writeHead(refusal.status, { 'content-type': 'application/xml' });
      response.end(`<Error><Code>${refusal.code}</Code><Message>Something\nin two lines</Message></Error>`);
      return;
    }
    if (url.searchParams.get('list-type') === '2') {
      const keys = Object.keys(OBJECTS).filter((each) => each.startsWith(url.searchParams.get('prefix') ?? ''));
      const from = Number(url.searchParams.get('continuation-token') ?? 0);
      const contents = keys.slice(from, from + 2).map((each) => {
        const { body, storageClass = 'STANDARD', restored } = OBJECTS[each] as (typeof OBJECTS)[string];
        const asked = request.headers['x-amz-optional-object-attributes'] === 'RestoreStatus';
        const status =
          restored && asked
            ? '<RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress><RestoreExpiryDate>2030-01-01T00:00:00.000Z</RestoreExpiryDate></RestoreStatus>'
            : '';
        return `<Contents><Key>${each}</Key><Size>${body.length}</Size><StorageClass>${storageClass}</StorageClass>${status}</Contents>`;
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
    {
      path: 's3://data/run1/denied.txt',
      reason:
        "access to object 'run1/denied.txt' of bucket 'data' is denied: grant s3:GetObject to the identity that aws sts get-caller-identity prints",
    },
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
    unreadable: [
      {
        path: 's3://data/nothing',
        reason: 'no object has this name or prefix: list the bucket with aws s3 ls s3://data',
      },
    ],
  });
});

test('what lies in another address is counted once', async () => {
  const once = await estimate('s3://data/run1/');
  for (const more of [['s3://data/run1/a.txt', 's3://data/run1'], ['s3://data/run1/'], ['s3://data/run1/sub/']]) {
    const { files, logicalBytes } = await estimate('s3://data/run1/', { paths: ['s3://data/run1/', ...more] });
    expect({ files, logicalBytes }).toEqual({ files: once.files, logicalBytes: once.logicalBytes });
  }
  const both = await estimate('', { paths: ['s3://data/run1/a.txt', 's3://data/run10'] });
  expect(both).toMatchObject({ files: 2, logicalBytes: 20_000_700 });
});

test.each([
  ['no-bucket', 404, 'NoSuchBucket', "there is no bucket 'no-bucket': aws s3 ls lists your buckets"],
  [
    'not-mine',
    403,
    'AccessDenied',
    "access to bucket 'not-mine' is denied: grant s3:ListBucket to the identity that aws sts get-caller-identity prints",
  ],
  ['late', 400, 'ExpiredToken', "bucket 'late' cannot be read: the AWS credentials have expired: aws sso login"],
  ['odd', 400, 'Odd', "bucket 'odd' cannot be read: Something in two lines: try aws s3 ls s3://odd"],
])('a bucket that cannot be listed is named in one line: %s', async (bucket, status, code, reason) => {
  refusal = { status, code };
  const { files, unreadable } = await estimate(`s3://${bucket}/x`);
  expect({ files, unreadable }).toEqual({ files: 0, unreadable: [{ path: `s3://${bucket}/x`, reason }] });
});

test.each([404, 416])('an object that fails while it is read says what became of it: %s', (httpStatusCode) => {
  const error = Object.assign(new Error('raw text'), { $metadata: { httpStatusCode } });
  expect(s3ReasonOf(error, { bucket: 'data', key: 'a\nb' })).toBe(
    "object 'a b' of bucket 'data' was deleted or truncated during the scan: estimate again when nothing changes",
  );
});

test('an archived object that was restored is read, and one that is called like a folder', async () => {
  const { files, unreadable } = await estimate('s3://data/thawed');
  expect({ files, unreadable }).toEqual({ files: 2, unreadable: [] });
});

test('stopped, it does not wait for an S3 that does not answer', async () => {
  const listing = await estimate('s3://silent/x', { signal: AbortSignal.timeout(300) });
  expect(listing).toMatchObject({ complete: false, files: 0, unreadable: [] });
  const reading = await estimate('s3://data/half', { signal: AbortSignal.timeout(300) });
  expect(reading.complete).toBe(false);
  expect(reading.unreadable).toContainEqual({
    path: 's3://data/half/silent.bin',
    reason: 'was still being read when the scan was stopped',
  });
});
