import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { S3Store } from '../../lib/store/bucket';
import { temporaryFolder } from '../run/bench';

/** An S3 in this process with the given answers. */
type Answer = (url: URL, request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer;
let server: Server;
const before = { ...process.env };
beforeEach(async () => {
  server = createServer((request, response) =>
    answer(new URL(request.url ?? '', 'http://s3'), request.resume(), response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
  });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  process.env = { ...before };
});

const error =
  (status: number, code: string): Answer =>
  (_url, _request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);

/** Pages of a listing, by their token; the first has none. */
const pages =
  (byToken: Readonly<Record<string, string>>, asked: URL[] = []): Answer =>
  (url, _request, response) => {
    asked.push(url);
    const page = byToken[url.searchParams.get('continuation-token') ?? ''];
    response.writeHead(200, { 'content-type': 'application/xml' }).end(`<ListBucketResult>${page}</ListBucketResult>`);
  };
const object = (key: string, size: number): string =>
  `<Contents><Key>${key}</Key><LastModified>2026-11-21T09:00:00.000Z</LastModified><Size>${size}</Size></Contents>`;
const folder = (prefix: string): string => `<CommonPrefixes><Prefix>${prefix}</Prefix></CommonPrefixes>`;
const more = (token: string): string =>
  `<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`;

test('a listing goes on until its last page, and comes sorted, with sizes', async () => {
  const asked: URL[] = [];
  answer = pages(
    { '': object('runs/c', 3) + more('2'), 2: object('runs/a', 1) + more('3'), 3: object('runs/b', 0) },
    asked,
  );
  expect(await new S3Store('results').list('runs/')).toEqual([
    ...[
      { key: 'runs/a', size: 1 },
      { key: 'runs/b', size: 0 },
      { key: 'runs/c', size: 3 },
    ],
  ]);
  expect(asked.map(({ searchParams }) => searchParams.get('prefix'))).toEqual(['runs/', 'runs/', 'runs/']);
  expect(asked.map(({ searchParams }) => searchParams.get('delimiter'))).toEqual([null, null, null]);
});

test('a service at an address of its own is asked by path: it need not have a name for each bucket', async () => {
  process.env.AWS_ENDPOINT_URL = process.env.AWS_ENDPOINT_URL?.replace('127.0.0.1', 'localhost');
  const asked: URL[] = [];
  answer = pages({ '': object('runs/a', 1) }, asked);
  await new S3Store('results').list('runs/');
  expect(asked.map(({ pathname }) => pathname)).toEqual(['/results/']);
});

test('a bucket that is busy for a moment is asked again', async () => {
  let calls = 0;
  answer = (...call) => {
    calls += 1;
    if (calls === 1) error(503, 'SlowDown')(...call);
    else call[2].writeHead(200).end('{}');
  };
  expect(String(await new S3Store('results').get('plan.json'))).toBe('{}');
});

test('a listing ends where S3 says so, even if it gives a token', async () => {
  const asked: URL[] = [];
  answer = pages(
    { '': `${object('a', 1)}<IsTruncated>false</IsTruncated><NextContinuationToken>2</NextContinuationToken>` },
    asked,
  );
  await new S3Store('results').list('');
  expect(asked).toHaveLength(1);
});

test('browsing asks for one level only, and gives its folders sorted, over all pages', async () => {
  const asked: URL[] = [];
  answer = pages({ '': folder('runs/b/') + object('runs/x', 2) + more('2'), 2: folder('runs/a/') }, asked);
  expect(await new S3Store('results').browse('runs/')).toEqual({
    files: [{ key: 'runs/x', size: 2, modified: Date.UTC(2026, 10, 21, 9) }],
    folders: ['runs/a/', 'runs/b/'],
  });
  expect(asked.map(({ searchParams }) => searchParams.get('delimiter'))).toEqual(['/', '/']);
});

test('an empty prefix has neither files nor folders', async () => {
  answer = pages({ '': '' });
  expect(await new S3Store('results').browse('runs/')).toEqual({ files: [], folders: [] });
});

test('an object comes as it is, byte for byte', async () => {
  const body = Buffer.from([0, 255, 10, 13, 128]);
  answer = (_url, _request, response) => response.writeHead(200, { 'content-length': body.length }).end(body);
  expect(await new S3Store('results').get('raw/a.out')).toEqual(body);
});

test('a download that breaks off leaves what was there, and no draft', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'a.out');
  writeFileSync(path, 'before');
  answer = (_url, _request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half of it');
    setTimeout(() => response.destroy(), 50);
  };
  await expect(new S3Store('results').download('raw/a.out', path)).rejects.toThrow('cannot be written');
  expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['before', ['a.out']]);
  answer = error(404, 'NoSuchKey');
  expect(await new S3Store('results').download('raw/a.out', path)).toBe(false);
});

test('a download that stalls is ended, with its connection and its draft', async () => {
  const folder = temporaryFolder();
  let closed: Promise<unknown> | undefined;
  answer = (_url, _request, response) => {
    closed = new Promise((resolve) => response.on('close', resolve));
    response.writeHead(200, { 'content-length': 100 }).write('half of it');
  };
  const stalled = new S3Store('results', 0.5).download('raw/a.out', join(folder, 'a.out'));
  await expect(stalled).rejects.toThrow('no answer to the download of raw/a.out within 1 s');
  expect(readdirSync(folder)).toEqual([]);
  await closed;
});

test('an object that is larger than a document may be is refused by its size, and nothing of it is awaited', async () => {
  let closed: Promise<unknown> | undefined;
  answer = (_url, _request, response) => {
    closed = new Promise((resolve) => response.on('close', resolve));
    response.writeHead(200, { 'content-length': 3e9 }).write('the first of it');
  };
  await expect(new S3Store('results').get('plan.json')).rejects.toThrow(
    "'s3://results/plan.json' cannot be read: it has 3000 MB, and at most 64 MB are read as a whole; see who wrote it, and remove it",
  );
  await closed;
});

test('a download with fewer bytes than were listed is an error', async () => {
  const folder = temporaryFolder();
  answer = (_url, _request, response) => response.writeHead(200, { 'content-length': 4 }).end('half');
  const short = new S3Store('results').download('raw/a.out', join(folder, 'a.out'), { min: 8 });
  await expect(short).rejects.toThrow('only 4 of 8 bytes came; repeat the command');
  expect(readdirSync(folder)).toEqual([]);
});

test('an object that is not there is null; one that may not be read is an error', async () => {
  answer = error(404, 'NoSuchKey');
  expect(await new S3Store('results').get('plan.json')).toBeNull();
  answer = error(403, 'AccessDenied');
  await expect(new S3Store('results').get('plan.json')).rejects.toThrow('AccessDenied');
  answer = error(404, 'NoSuchBucket');
  await expect(new S3Store('results').get('plan.json')).rejects.toThrow('NoSuchBucket');
});

test.each([
  ['plan.json', 'application/json'],
  ['samples.jsonl', 'application/x-ndjson'],
  ['report/index.html', 'text/html; charset=utf-8'],
  ['report/v1.2/chart.js', 'text/javascript'],
  ['raw/a.out', 'text/plain; charset=utf-8'],
  ['html', 'text/html; charset=utf-8'],
])('a browser gets %s as %s', async (key, type) => {
  const types: unknown[] = [];
  answer = (_url, { headers }, response) => {
    types.push(headers['content-type']);
    response.writeHead(200, { etag: '"1"' }).end();
  };
  await new S3Store('results').put(key, 'body');
  expect(types).toEqual([type]);
});

describe('a bucket that accepts a call and never answers', () => {
  beforeEach(() => {
    answer = () => {};
  });

  test.each([
    ['list of runs/', (store: S3Store) => store.list('runs/')],
    ['download of a', (store: S3Store) => store.get('a')],
    ['upload of a', (store: S3Store) => store.put('a', 'body')],
  ])('costs the time of a call: %s', async (what, call) => {
    await expect(call(new S3Store('results', 0.6))).rejects.toThrow(`no answer to the ${what} within 1 s`);
  });

  test('gets more time for more bytes: a second for each 100,000', async () => {
    const upload = new S3Store('results', 0.1).put('a', 'x'.repeat(60_000));
    const state = await Promise.race([
      upload.catch((reason: Error) => reason.message),
      new Promise((resolve) => setTimeout(() => resolve('waits'), 400)),
    ]);
    expect(state).toBe('waits');
    await expect(upload).rejects.toThrow('no answer to the upload of a within 1 s');
  });
});

test('says of itself which bucket it is', () => {
  expect(new S3Store('results').describe).toBe('s3://results');
});
