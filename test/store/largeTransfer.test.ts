import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../run/bench';

const LIB = join(__dirname, '../../lib/store');

/** Uploads a folder to an S3 of the same process, which counts the bytes of the parts: what it took, and the memory in MB at most. */
const SCRIPT = `
require('ts-node').register({ transpileOnly: true });
const { createServer } = require('node:http');
const { S3Store } = require('${LIB}/bucket.ts');
const { Uploader } = require('${LIB}/upload.ts');
let bytes = 0;
const server = createServer((request, response) => {
  request.on('data', (piece) => (bytes += piece.length)).on('end', () => {
    const upload = '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>';
    const body = request.method === 'PUT' ? '' : request.url.includes('uploads') ? upload : '<CompleteMultipartUploadResult/>';
    response.writeHead(200, { etag: '"1"', 'content-type': 'application/xml' }).end(body);
  });
}).listen(0, '127.0.0.1', async () => {
  process.env.AWS_ENDPOINT_URL = 'http://127.0.0.1:' + server.address().port;
  const missing = await new Uploader(process.argv[1], new S3Store('results', 600), 'p').finish();
  console.log(JSON.stringify({ missing, bytes, megabytes: process.resourceUsage().maxRSS / 1024 }));
  process.exit();
});`;

function upload(size: number): { readonly missing: string | null; readonly bytes: number; readonly megabytes: number } {
  const folder = temporaryFolder();
  const raw = join(folder, 'raw/none/measure/1-write.out');
  mkdirSync(join(raw, '..'), { recursive: true });
  writeFileSync(raw, '');
  truncateSync(raw, size);
  const done = spawnSync(process.execPath, ['-e', SCRIPT, folder], {
    encoding: 'utf8',
    env: { ...process.env, AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' },
  });
  expect(done.stderr).toBe('');
  return JSON.parse(done.stdout);
}

test('raw output is uploaded whole, in memory that does not follow its size', () => {
  const small = upload(10e6);
  const large = upload(700e6);
  process.stdout.write(`upload of 10 MB: ${small.megabytes} MB, of 700 MB: ${large.megabytes} MB\n`);
  expect([small.missing, large.missing]).toEqual([null, null]);
  expect(large.bytes).toBeGreaterThanOrEqual(700e6);
  expect(large.megabytes - small.megabytes).toBeLessThan(400);
});

/** Downloads an object of so many bytes from an S3 of the same process. */
const DOWNLOAD = `
require('ts-node').register({ transpileOnly: true });
const { createServer } = require('node:http');
const { Readable } = require('node:stream');
const { S3Store } = require('${LIB}/bucket.ts');
const [, path, size] = process.argv;
const piece = Buffer.alloc(1e6, 'x');
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-length': size });
  Readable.from((function* () { for (let at = 0; at < size; at += piece.length) yield piece; })()).pipe(response);
}).listen(0, '127.0.0.1', async () => {
  process.env.AWS_ENDPOINT_URL = 'http://127.0.0.1:' + server.address().port;
  const isThere = await new S3Store('results', 600).download('raw/a.out', path);
  console.log(JSON.stringify({ isThere, megabytes: process.resourceUsage().maxRSS / 1024 }));
  process.exit();
});`;

function download(size: number): { readonly isThere: boolean; readonly bytes: number; readonly megabytes: number } {
  const path = join(temporaryFolder(), 'raw', 'a.out');
  const done = spawnSync(process.execPath, ['-e', DOWNLOAD, path, String(size)], {
    encoding: 'utf8',
    env: { ...process.env, AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' },
  });
  expect(done.stderr).toBe('');
  expect(readdirSync(join(path, '..'))).toEqual(['a.out']);
  return { ...JSON.parse(done.stdout), bytes: statSync(path).size };
}

test('an object is downloaded whole, in memory that does not follow its size', () => {
  const small = download(10e6);
  const large = download(700e6);
  process.stdout.write(`download of 10 MB: ${small.megabytes} MB, of 700 MB: ${large.megabytes} MB\n`);
  expect([small.isThere, large.isThere, large.bytes]).toEqual([true, true, 700e6]);
  expect(large.megabytes - small.megabytes).toBeLessThan(200);
});
