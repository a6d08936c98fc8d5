import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newRunId, SsmRunner } from '../../lib/run/runner';

const REFERENCE = { benchmark: 'CompressionBench', run: 'run-1' };
const SUM = 'a'.repeat(64);
const SUMS = { plan: SUM, manifest: SUM, driver: SUM };
const VARIABLES = ['AWS_ENDPOINT_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'] as const;

let server: Server;
let answer: { readonly __type: string; readonly message: string };
const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const values = { AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
  Object.assign(process.env, { ...values, AWS_REGION: 'us-east-1' });
});

afterAll(async () => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await new Promise((resolve) => server.close(resolve));
});

const start = () => new SsmRunner('bucket', 'document', 'i-0123456789abcdef0').start(REFERENCE, SUMS);

test('a leader that has not booted yet is named, with what to do', async () => {
  answer = { __type: 'InvalidInstanceId', message: 'Instances not in a valid state for account' };
  await expect(start()).rejects.toThrow(
    /^the leader i-0123456789abcdef0 is not registered with Systems Manager: it is still booting.*again in a few minutes/,
  );
});

test("any other refusal is told in the service's words", async () => {
  answer = { __type: 'InvalidDocument', message: 'Document with name document does not exist.' };
  await expect(start()).rejects.toThrow('Document with name document does not exist.');
});

test('runs that start in the same second have ids of their own', () => {
  const now = new Date('2026-11-21T09:00:00.123Z');
  const ids = Array.from({ length: 20 }, () => newRunId('paired', now));
  expect(new Set(ids).size).toBeGreaterThan(15);
  for (const id of ids) expect(id).toMatch(/^20261121T090000Z-paired-[0-9a-z]{4}$/);
});
