import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runSession } from '../../lib/run/driver/session';
import type { Manifest } from '../../lib/schema/run';
import { type ResultsStore, S3Store } from '../../lib/store/bucket';
import { Uploader } from '../../lib/store/upload';
import { allAnswer, fakeExecute, healthy, localClients, memoryFolder, smallPlan, temporaryFolder } from '../run/bench';

/** Treatment of a request whose body has come; `false`: nothing is ever answered. */
type Manner = (key: string, request: IncomingMessage) => Promise<number | false> | number | false;

/** An S3 of this process, as good or bad as `manner` says. */
class Bucket {
  readonly objects = new Map<string, string>();
  readonly puts: string[] = [];
  manner: Manner = () => 200;
  private server: Server | undefined;

  async start(): Promise<string> {
    this.server = createServer((request, response) => void this.answer(request, response));
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const key = decodeURIComponent((request.url ?? '').split('?')[0]?.replace('/results/', '') ?? '');
    const status = await this.manner(key, request);
    if (status === false) return;
    if (request.method === 'PUT' && status === 200) {
      this.puts.push(key);
      this.objects.set(key, Buffer.concat(parts).toString('utf8'));
    }
    response.writeHead(request.method === 'GET' ? 404 : status, { etag: '"1"', 'content-type': 'application/xml' });
    const code = request.method === 'GET' ? 'NoSuchKey' : 'AccessDenied';
    response.end(
      status === 200 && request.method === 'PUT'
        ? ''
        : `<Error><Code>${code}</Code><Message>${code}, it says</Message></Error>`,
    );
  }
}

const bucket = new Bucket();
const before = { ...process.env };
beforeEach(async () => {
  const endpoint = await bucket.start();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    // Sent content is unchanged in the body.
    AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
  });
  bucket.objects.clear();
  bucket.puts.length = 0;
  bucket.manner = () => 200;
});
afterEach(() => {
  bucket.stop();
  process.env = { ...before };
});

const PREFIX = 'runs/CompressionBench/r-1';
const IMPATIENT = { patience: 0.5, pause: 0.05 };

function preparedRun(): string {
  const folder = memoryFolder();
  const manifest: Manifest = {
    schema: 'fsxbench.manifest/1',
    run: 'r-1',
    benchmark: 'CompressionBench',
    lab: true,
    stack: null,
    region: null,
    arms: [],
    tools: {},
    notices: [],
    fleet: { instanceType: null, image: null, clients: [], hourlyUsd: null },
  };
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(smallPlan()));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  // A local file is not requested from the store.
  writeFileSync(join(folder, 'samples.jsonl'), '');
  return folder;
}

/** A run whose steps take no time: their actions and times, next to the bucket's requests. */
async function session(folder: string, flush: object = IMPATIENT, callSeconds = 0.3, onDone = () => {}) {
  const { execute } = fakeExecute(healthy);
  const ends: number[] = [];
  const startedAt = performance.now();
  const result = await runSession({
    folder,
    client: localClients('/mnt').config,
    results: { store: new S3Store('results', callSeconds), prefix: PREFIX, flush },
    abort: new AbortController().signal,
    execute,
    answering: allAnswer,
    onStatus: ({ state }) => {
      ends.push((performance.now() - startedAt) / 1000);
      if (state === 'done') onDone();
    },
  });
  return { ...result, stepsSeconds: ends.at(-1) ?? 0 };
}

const textOf = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');
const kept = (name: string): string | undefined => bucket.objects.get(`${PREFIX}/${name}`);

describe('no step waits for a bucket', () => {
  test('that is slow: everything arrives, the end of the run behind the rest', async () => {
    // It answers nothing before the last step is done: a step that waited for it would wait in vain.
    let open = (): void => {};
    const done = new Promise<void>((resolve) => (open = resolve));
    bucket.manner = async () => {
      await done;
      return 200;
    };
    const folder = preparedRun();
    // As patient as a run: on a busy machine one file may take half a second.
    const { status, uploadError } = await session(folder, {}, 30, open);
    expect([status.state, uploadError]).toEqual(['done', null]);
    for (const name of ['plan.json', 'samples.jsonl', 'status.json']) expect(kept(name)).toBe(textOf(folder, name));
    expect(bucket.puts.at(-1)).toBe(`${PREFIX}/status.json`);
  });

  test('that is silent: the run ends, and says what is missing', async () => {
    bucket.manner = () => false;
    const folder = preparedRun();
    const { status, uploadError } = await session(folder);
    expect(status.state).toBe('done');
    expect(uploadError).toMatch(
      /^s3:\/\/results: no answer to the upload of runs\/CompressionBench\/r-1\/.* within \d s; \d+ files not uploaded \(.*, …\)$/,
    );
    expect(textOf(folder, 'samples.jsonl').split('\n').length).toBeGreaterThan(10);
  });

  test('that refuses: the run ends with the reason, and the next session uploads', async () => {
    bucket.manner = () => 403;
    const folder = preparedRun();
    // A busy machine may take longer than the impatient to say so.
    const { status, uploadError } = await session(folder, IMPATIENT, 30);
    expect(status.state).toBe('done');
    expect(uploadError).toMatch(/^s3:\/\/results: AccessDenied, it says; \d+ files not uploaded/);
    bucket.manner = () => 200;
    expect((await session(folder, undefined, 30)).uploadError).toBeNull();
    expect(kept('samples.jsonl')).toBe(textOf(folder, 'samples.jsonl'));
  });

  test('that comes back while the last files are brought there', async () => {
    let refused = 0;
    bucket.manner = () => (++refused > 4 ? 200 : 403);
    const folder = preparedRun();
    const { uploadError } = await session(folder, { patience: 30, pause: 0.05 }, 30);
    expect(uploadError).toBeNull();
    expect(kept('status.json')).toBe(textOf(folder, 'status.json'));
  });
});

test('a driver gives up a bucket that refuses as soon as its environment says', async () => {
  let firstAsked = 0;
  bucket.manner = () => {
    firstAsked ||= performance.now();
    return 403;
  };
  const argv = [resolve(__dirname, '../../dist/driver.js'), '--run', preparedRun(), '--bucket', 'results'];
  const driver = spawn(process.execPath, [...argv, '--upload-only'], {
    env: { ...process.env, FSXBENCH_UPLOAD_SECONDS: '6' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  driver.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const status = await new Promise((ok) => driver.once('close', ok));
  expect([status, said]).toEqual([
    1,
    expect.stringMatching(/are kept in .* only: s3:\/\/results: AccessDenied, it says; 3 files/),
  ]);
  // Without it, 20 seconds from then on.
  expect(performance.now() - firstAsked).toBeLessThan(20_000);
});

test('nobody reads of an end before the samples are there', async () => {
  bucket.manner = (key) => (key.endsWith('samples.jsonl') ? 403 : 200);
  const folder = preparedRun();
  // Long enough for the others on a busy machine.
  const { uploadError } = await session(folder, { patience: 5, pause: 0.05 }, 2);
  expect(uploadError).toContain('(samples.jsonl, status.json)');
  expect(JSON.parse(kept('status.json') ?? '{"endedAt":null}')).toMatchObject({ endedAt: null });
  expect(bucket.puts).toContain(`${PREFIX}/plan.json`);
});

test('files that never arrive do not stand in the way of others', async () => {
  const folder = temporaryFolder();
  for (const name of ['a', 'b', 'c', 'd', 'e']) writeFileSync(join(folder, name), name);
  const { store, kept: arrived } = slowStore(1, (key) => /[abc]$/.test(key));
  const uploader = new Uploader(folder, store, 'p');
  expect(await uploader.finish({ patience: 1, pause: 0.01 })).toBe('slow: refused; 3 files not uploaded (a, b, c)');
  expect([...arrived.keys()].sort()).toEqual(['p/d', 'p/e']);
});

test('a store that refuses three files one after the other is not asked for the rest of that round', async () => {
  const folder = temporaryFolder();
  for (const name of ['a', 'b', 'c', 'd', 'e']) writeFileSync(join(folder, name), name);
  const asked: string[] = [];
  const put = async (key: string): Promise<never> => {
    asked.push(key);
    throw new Error('refused');
  };
  const uploader = new Uploader(folder, { describe: 'refusing', put } as Partial<ResultsStore> as ResultsStore, 'p');
  uploader.note();
  expect(await uploader.finish({ patience: 0 })).toContain('5 files not uploaded');
  expect(asked).toEqual(['p/a', 'p/b', 'p/c']);
});

test('a folder that is away for a moment, as a shared one may be, ends no driver, and is uploaded once it is back', async () => {
  const folder = preparedRun();
  const away = `${folder}-away`;
  renameSync(folder, away);
  const uploader = new Uploader(folder, new S3Store('results'), PREFIX);
  uploader.note();
  expect(await uploader.finish({ patience: 0.3, pause: 0.05 })).toMatch(
    /ENOENT.*; 1 file not uploaded \(status\.json\)$/,
  );
  renameSync(away, folder);
  expect(await uploader.finish()).toBeNull();
  expect(kept('plan.json')).toBe(textOf(folder, 'plan.json'));
});

test('a file is sent again only when it has changed, and never twice at a time', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'raw'));
  writeFileSync(join(folder, 'raw', 'a'), 'one');
  const store = new S3Store('results', 30);
  const uploader = new Uploader(folder, store, 'p');
  uploader.note();
  uploader.note();
  expect(await uploader.finish()).toBeNull();
  expect(await uploader.finish()).toBeNull();
  expect(bucket.puts).toEqual(['p/raw/a']);
  writeFileSync(join(folder, 'raw', 'a'), 'three');
  uploader.note();
  uploader.note();
  expect(await uploader.finish()).toBeNull();
  expect(bucket.puts).toEqual(['p/raw/a', 'p/raw/a']);
  expect(bucket.objects.get('p/raw/a')).toBe('three');
});

test('a change is seen by its time or its size, whichever differs', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'status.json');
  const uploader = new Uploader(folder, new S3Store('results', 30), 'p');
  const at = (seconds: number, text: string): void => {
    writeFileSync(file, text);
    utimesSync(file, seconds, seconds);
  };
  for (const [seconds, text] of [
    [1000, 'one'],
    [1001, 'two'],
    [1001, 'three'],
  ] as const) {
    at(seconds, text);
    expect(await uploader.finish()).toBeNull();
    expect(bucket.objects.get('p/status.json')).toBe(text);
  }
});

/** A store that takes so many milliseconds per file, and its content; without an S3 client, which a busy machine loads for seconds. */
function slowStore(
  milliseconds: number,
  refuses: (key: string) => boolean = () => false,
): { store: ResultsStore; kept: Map<string, unknown> } {
  const kept = new Map<string, unknown>();
  const put = async (key: string, body: unknown): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    if (refuses(key)) throw new Error('refused');
    kept.set(key, body);
  };
  return { store: { describe: 'slow', put } as ResultsStore, kept };
}

test('however long all files take, none is given up as long as one after the other arrives', async () => {
  const folder = temporaryFolder();
  const names = Array.from({ length: 14 }, (_, index) => `file-${index}`);
  for (const name of names) writeFileSync(join(folder, name), name);
  const { store, kept: arrived } = slowStore(100);
  // Longer in all than it waits for any of them.
  expect(await new Uploader(folder, store, 'p').finish({ patience: 1, pause: 0.01 })).toBeNull();
  expect([...arrived.keys()].sort()).toEqual(names.map((name) => `p/${name}`).sort());
});

test('what changes while it is uploaded is uploaded again, without another word and as it is at the end', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'samples.jsonl'), 'one\n');
  const { store, kept: arrived } = slowStore(20);
  const uploader = new Uploader(folder, store, 'p');
  uploader.note();
  writeFileSync(join(folder, 'samples.jsonl'), 'one\ntwo\n');
  uploader.note();
  for (let look = 0; look < 200 && String(arrived.get('p/samples.jsonl')) !== 'one\ntwo\n'; look += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(String(arrived.get('p/samples.jsonl'))).toBe('one\ntwo\n');
  expect(await uploader.finish()).toBeNull();
});

test('nor is a large file, as long as one part after the other arrives', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'large'), 'x');
  const put: ResultsStore['put'] = async (_, __, onPart) => {
    for (let part = 0; part < 8; part += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      onPart?.();
    }
  };
  const store = { describe: 'slow', put } as ResultsStore;
  expect(await new Uploader(folder, store, 'p').finish({ patience: 0.5, pause: 0.01 })).toBeNull();
});

test('during a run the status is first, and a file that arrived has no failures left', async () => {
  const folder = temporaryFolder();
  const asked: string[] = [];
  let refuse = 'p/b';
  const put = async (key: string): Promise<void> => {
    asked.push(key);
    if (key === refuse) throw new Error('refused');
  };
  const uploader = new Uploader(folder, { describe: 'any', put } as Partial<ResultsStore> as ResultsStore, 'p');
  const round = async (text: string): Promise<string[]> => {
    for (const name of ['b', 'c', 'status.json']) writeFileSync(join(folder, name), text);
    asked.length = 0;
    uploader.note();
    while (!asked.includes('p/c') || !asked.includes('p/b')) await sleep(5);
    await sleep(20);
    return [...asked];
  };
  expect(await round('1')).toEqual(['p/status.json', 'p/b', 'p/c']);
  expect(await round('22')).toEqual(['p/status.json', 'p/c', 'p/b']);
  refuse = '';
  expect(await round('333')).toEqual(['p/status.json', 'p/c', 'p/b']);
  expect(await round('4444')).toEqual(['p/status.json', 'p/b', 'p/c']);
});
