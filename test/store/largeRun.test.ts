import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { listRuns } from '../../lib/analysis/compare/runEntries';
import { readRun } from '../../lib/store/readRun';
import { soundRun } from '../analysis/runs';
import { writeRun } from '../report/writeRun';
import { temporaryFolder } from '../run/bench';

const MIB = 2 ** 20;

test('more samples than an analysis holds are refused by their size, with their file and the way to report a part', async () => {
  const run = writeRun(soundRun(), temporaryFolder());
  truncateSync(join(run, 'samples.jsonl'), 702e6);
  await expect(readRun(run)).rejects.toThrow(
    `the samples '${join(run, 'samples.jsonl')}' have 669 MiB, an analysis reads at most 96 MiB: all of them stay as they are; to report a part, copy the run's folder`,
  );
});

test('the way that the refusal names leads to a report', async () => {
  const record = soundRun({ repeats: 3 });
  const run = writeRun(record, temporaryFolder());
  const part = join(temporaryFolder(), record.run);
  cpSync(run, part, { recursive: true });
  const lines = record.samples.map((sample) => JSON.stringify(sample)).filter((line) => line.includes('"repeat":0'));
  writeFileSync(join(part, 'samples.jsonl'), `${lines.join('\n')}\n`);
  const { samples, problems } = await readRun(part);
  expect(samples).toHaveLength(lines.length);
  expect(samples.length).toBeGreaterThan(0);
  expect(problems).toEqual([]);
});

test('a file of 96 MiB is still read', async () => {
  const record = soundRun();
  const run = writeRun(record, temporaryFolder());
  const text = record.samples.map((sample) => `${JSON.stringify(sample)}\n`).join('');
  writeFileSync(join(run, 'samples.jsonl'), text.padEnd(96 * MIB, `${' '.repeat(9999)}\n`));
  expect((await readRun(run)).samples).toHaveLength(record.samples.length);
});

test('a list names the reason, and the other runs', async () => {
  const results = temporaryFolder();
  const record = soundRun();
  const folder = join(results, 'runs', record.plan?.benchmark ?? '');
  mkdirSync(folder, { recursive: true });
  const [large, small] = ['large', 'small'].map((name) => {
    const run = writeRun(record, temporaryFolder());
    cpSync(run, join(folder, name), { recursive: true });
    return join(folder, name);
  }) as [string, string];
  truncateSync(join(large, 'samples.jsonl'), 702e6);
  const analyse = async (path: string): Promise<never> => {
    await readRun(path);
    throw new Error(`read ${path}`);
  };
  const said = (await listRuns(results, null, analyse)).map(({ run, reason }) => [run, reason]);
  expect(said).toEqual(
    expect.arrayContaining([
      ['large', expect.stringContaining('have 669 MiB')],
      ['small', expect.stringContaining(`read ${small}`)],
    ]),
  );
});

test('samples are read in less memory than their file has bytes, and a torn line is taken away before the next', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'samples.jsonl');
  const [sample] = soundRun({ repeats: 1, compressibilities: [1] }).samples;
  const file = openSync(path, 'w');
  const count = 120_000;
  for (let first = 0; first < count; first += 1000)
    writeSync(
      file,
      Array.from({ length: 1000 }, (_, at) => `${JSON.stringify({ ...sample, iteration: first + at })}\n`).join(''),
    );
  closeSync(file);
  const { size } = statSync(path);
  expect(size).toBeGreaterThan(60e6);
  appendFileSync(path, `{"schema":"${'torn'.repeat(100_000)}`);
  const script = `require('ts-node').register({ transpileOnly: true });
    const { RunFolder } = require('${join(__dirname, '../../lib/store/folder.ts')}');
    const folder = new RunFolder(${JSON.stringify(folder)});
    const samples = folder.samples('${sample?.run}');
    console.log(samples.length, samples.at(-1).iteration);
    folder.append([samples[0]]);`;
  const done = spawnSync(process.execPath, ['--max-old-space-size=128', '-e', script], { encoding: 'utf8' });
  expect([done.stderr, done.stdout.trim()]).toEqual(['', `${count} ${count - 1}`]);
  expect(statSync(path).size).toBe(size + JSON.stringify({ ...sample, iteration: 0 }).length + 1);
});

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
