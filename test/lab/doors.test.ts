import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { ListDocumentsCommand, SSMClient } from '@aws-sdk/client-ssm';
import { chromium } from 'playwright-core';
import { emulatorEnvironment, secretOf, startEmulator } from '../../lib/lab/emulator';
import { labPaths } from '../../lib/lab/paths';
import { endProcesses, processesOfLab } from '../../lib/lab/processes';
import { ensureVenv } from '../../lib/lab/venv';
import { executablePath } from '../support/chromium';
import { until } from '../support/patience';
import { labProject, PROJECT } from './support';

/** A program or function of the project that others on the machine can connect to. */
interface Listener {
  readonly port: number;
  /** A target that it answers to the right caller, and the secret as headers. */
  readonly target: string;
  readonly secret: Readonly<Record<string, string>>;
  /** A target and headers with a wrong secret. */
  readonly wrong: { readonly target: string; readonly headers: Readonly<Record<string, string>> };
}

/** Listening sources, and their guards; any other line fails the test below. */
const GUARDS: Readonly<Record<string, string>> = {
  'assets/lab/fsxbench_lab/__main__.py': 'attacked below: the emulator',
  'assets/lab/fsxbench_lab/invoke.py': 'attacked below: answers of custom resources',
  'assets/lab/model/link-rate.mjs': 'attacked below: the sink of the calibration',
  'lib/run/driver/lock.ts':
    'reads nothing, closes every connection; who holds its name is named: test/run/driver/session.test.ts',
  'lib/lab/ports.ts': 'closes before it hands out its port',
};

const authorization = (key: string, service = 'ssm'): Record<string, string> => ({
  authorization: `AWS4-HMAC-SHA256 Credential=${key}/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
});

let emulator: Listener;
let answers: Listener & { readonly end: () => void };
let root: string;
let remove: () => void;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  ({ root, remove } = await labProject());
  const paths = labPaths(root);
  const python = await ensureVenv(PROJECT);
  const { port, endpoint } = await startEmulator({ paths, python, record: async () => {} });
  environment = emulatorEnvironment(paths, endpoint);
  emulator = {
    port,
    target: '/moto-api/',
    secret: authorization(secretOf(paths)),
    wrong: { target: '/moto-api/', headers: authorization('test') },
  };
  answers = await answersOfHandlers(python);
});
afterAll(async () => {
  answers.end();
  await endProcesses(() => processesOfLab(labPaths(root).lab));
  remove();
});

/** The listener to which a custom resource's handler sends its answer. */
async function answersOfHandlers(python: string): Promise<typeof answers> {
  const script =
    'from fsxbench_lab.invoke import _Listener\nimport sys\nwith _Listener() as one:\n  print(one.url, flush=True)\n  sys.stdin.read()';
  const child = spawn(python, ['-c', script], { cwd: join(PROJECT, 'assets/lab'), stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { port, pathname } = new URL(line.toString().trim());
  return {
    port: Number(port),
    target: pathname,
    secret: {},
    wrong: { target: '/answer', headers: {} },
    end: () => child.stdin.end(),
  };
}

/** The status of one request as it is on the wire, and its headers. `null` if the connection is closed without an answer. */
function ask(
  port: number,
  target: string,
  headers: Readonly<Record<string, string>>,
  method = 'PUT',
): Promise<string | null> {
  const body = '{}';
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, 'content-length': String(body.length) })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect({ host: '127.0.0.1', port });
    socket
      .on('data', (bytes) => (said += bytes))
      .on('error', reject)
      .on('close', () => resolve(said || null));
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}connection: close\r\n\r\n${body}`);
  });
}

const statusOf = (answer: string | null): number => Number(answer?.split(' ')[1]);

describe.each([
  ['the emulator', () => emulator],
  ['the answers of custom resources', () => answers],
])('%s', (_, listener) => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['a name that was rebound to this computer', { host: 'evil.example' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['localhost', { host: 'localhost' }],
    ['no host', { host: '' }],
    ['a web page', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a page of this very address', { origin: 'http://127.0.0.1' }],
  ])('refuses %s, even with the secret, and lets no page read the answer', async (__, headers) => {
    const { port, target, secret } = listener();
    for (const method of ['PUT', 'POST', 'GET', 'OPTIONS', 'HEAD', 'DELETE', 'PATCH']) {
      const answer = await ask(port, target, { ...secret, ...headers }, method);
      expect(statusOf(answer)).toBeGreaterThanOrEqual(400);
      expect(answer?.toLowerCase()).not.toContain('access-control-allow');
    }
  });

  test.each(['//', '///', 'http://evil.example/', 'http://[', '//[', '*', 'moto-api/', '/\\..\\'])(
    'refuses the target %s, and goes on answering',
    async (target) => {
      const { port, target: good, secret } = listener();
      expect(statusOf(await ask(port, target, secret))).toBeGreaterThanOrEqual(400);
      expect(statusOf(await ask(port, good, secret))).toBeLessThan(500);
    },
  );

  test('refuses who has no secret or another one', async () => {
    const { port, target, wrong } = listener();
    expect(statusOf(await ask(port, wrong.target, wrong.headers))).toBe(403);
    expect(statusOf(await ask(port, wrong.target, {}))).toBe(403);
    expect(statusOf(await ask(port, wrong.target, { ...authorization('x'), ...authorization('') }))).toBe(403);
    expect(statusOf(await ask(port, `${target}x`, {}))).toBe(403);
  });

  test('answers who has it', async () => {
    const { port, target, secret } = listener();
    expect(statusOf(await ask(port, target, secret, listener() === emulator ? 'GET' : 'PUT'))).toBe(200);
  });
});

test('the calibration counts no bytes but those of its own source', async () => {
  const LINK_SECRET = 'a'.repeat(32);
  const program = join(PROJECT, 'assets/lab/model/link-rate.mjs');
  const sink = spawn(process.execPath, [program, 'sink', '127.0.0.1'], { env: { ...process.env, LINK_SECRET } });
  let said = '';
  sink.stdout.on('data', (bytes) => (said += bytes));
  await until('the port of the sink', () => said.endsWith('\n'));
  const port = Number(said);
  const stranger = connect({ host: '127.0.0.1', port });
  stranger.on('error', () => {}).write('b'.repeat(1 << 16));
  await once(stranger, 'close');
  expect(said).toBe(`${port}\n`);
  execFileSync(process.execPath, [program, 'source', '127.0.0.1', String(port), '1'], {
    env: { ...process.env, LINK_SECRET },
  });
  await once(sink, 'close');
  expect(Number(said.split('\n')[1])).toBeGreaterThan(0);
});

test('every listener of the project is guarded', () => {
  const listens = /\bcreateServer\(|\bcreate_server\(|HTTPServer\(|\bsocketserver\b|\.bind\(\(/;
  const files = execFileSync('git', ['ls-files', 'lib', 'assets', 'bin', 'scripts', 'bench', 'examples'], {
    cwd: PROJECT,
    encoding: 'utf8',
  });
  const found = files
    .split('\n')
    .filter(
      (file) =>
        statSync(join(PROJECT, file)).isFile() &&
        /(?:\.(?:[cm]?js|ts|py|sh)|\/[^./]+)$/.test(file) &&
        listens.test(readFileSync(join(PROJECT, file), 'utf8')),
    );
  expect(found.sort()).toEqual(Object.keys(GUARDS).sort());
});

describe('the attack on the lab: a document that runs a shell', () => {
  const Content = JSON.stringify({
    schemaVersion: '2.2',
    mainSteps: [{ action: 'aws:runShellScript', name: 'x', inputs: { runCommand: ['id'] } }],
  });
  const body = (Name: string) => JSON.stringify({ Name, Content, DocumentType: 'Command', DocumentFormat: 'JSON' });
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.CreateDocument' };

  /** The status that curl gets as a user with another number. */
  function curl(name: string, key: string | undefined, user: readonly string[]): string {
    const given = Object.entries({ ...headers, ...(key === undefined ? {} : authorization(key)) });
    const said = [...given.flatMap(([header, value]) => ['-H', `${header}: ${value}`]), '-d', body(name)];
    const [program = '', ...words] = [
      ...user,
      'curl',
      '--silent',
      '--output',
      '/dev/null',
      '--write-out',
      '%{http_code}',
    ];
    return execFileSync(program, [...words, ...said, `http://127.0.0.1:${emulator.port}/`], { encoding: 'utf8' });
  }

  const documents = async (): Promise<(string | undefined)[]> => {
    const { AWS_ENDPOINT_URL: endpoint, AWS_REGION: region, AWS_ACCESS_KEY_ID: accessKeyId = '' } = environment;
    const client = new SSMClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey: 'lab' } });
    return (await client.send(new ListDocumentsCommand({}))).DocumentIdentifiers?.map(({ Name }) => Name) ?? [];
  };

  test('is refused to another user, who cannot read the secret', async () => {
    const { emulatorKey } = labPaths(root);
    const isRoot = process.getuid?.() === 0;
    const nobody = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
    expect(curl('as-nobody', undefined, nobody)).toBe('403');
    expect(curl('as-test', 'test', nobody)).toBe('403');
    expect(statSync(emulatorKey).mode & 0o777).toBe(0o600);
    if (isRoot) expect(spawnSync('setpriv', [...nobody.slice(1), 'cat', emulatorKey]).status).not.toBe(0);
    expect(curl('as-owner', environment.AWS_ACCESS_KEY_ID, [])).toBe('200');
    expect(await documents()).toEqual(['as-owner']);
  });

  (executablePath === undefined ? test.skip : test)(
    'is refused to a page in a browser, even if it knew the secret',
    async () => {
      const site: Server = createServer((__, response) => response.end('<!doctype html>'));
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
      try {
        const page = await browser.newPage();
        await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
        const outcomes = await page.evaluate(
          async ([url, json, names]) =>
            Promise.all(
              [{}, { mode: 'no-cors' as const }].flatMap((mode) =>
                [names, {}].map((more) =>
                  fetch(url, {
                    method: 'POST',
                    body: json,
                    headers: { 'content-type': 'text/plain', ...more },
                    ...mode,
                  }).then(
                    ({ status, type }) => `${type} ${status}`,
                    () => 'refused',
                  ),
                ),
              ),
            ),
          [`http://127.0.0.1:${emulator.port}/`, body('from-a-page'), { ...headers, ...emulator.secret }] as const,
        );
        // Opaque: the page may send, and learns nothing.
        expect(new Set(outcomes)).toEqual(new Set(['refused', 'opaque 0']));
        expect(await documents()).not.toContain('from-a-page');
      } finally {
        await browser.close();
        site.close();
      }
    },
  );
});
