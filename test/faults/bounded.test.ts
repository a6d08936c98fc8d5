import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import ts from 'typescript';
import { boundedBy } from '../../lib/common/aws/connection';
import { nodesOf, SOURCES, sourceOf } from '../support/sources';

/** Clients with other bounds. */
const OWN_BOUNDS: Readonly<Record<string, string>> = {
  'lib/store/bucket.ts': 'bounded() gives each call a time that grows with what it carries',
  'lib/estimate/source/s3.ts': 'objects may be large, so silence is bounded, not the whole answer',
};

/** Every place that starts a process or asks an address, and what ends it. */
const STARTS: Readonly<Record<string, string>> = {
  'lib/cli/results/watch.ts spawn': 'the job, or the end of the watch',
  'lib/cli/start/machines.ts execFileSync': 'timeout',
  'lib/cli/start/machines.ts spawn': 'the person who waits for the nodes: Ctrl-C; a queue may be long',
  'lib/cost/refresh.ts fetch': 'timeout',
  'lib/cli/start/machines.ts spawnSync': 'timeout',
  'lib/doctor/checks.ts spawnSync': 'timeout',
  'lib/estimate/source/walk.ts spawnSync': 'timeout',
  'lib/common/files.ts execFile': 'the person who watches it: Ctrl-C; a million files take their time',
  'lib/lab/processes.ts execFile': 'its seconds, then it is ended with everything that it started',
  'lib/lab/deploy.ts spawn': 'the person who watches it: Ctrl-C',
  'lib/lab/emulator.ts http.request': 'timeout',
  'lib/lab/emulator.ts spawn': 'a service that stays; whoever waits for its first answer has a deadline',
  'lib/lab/metrics/service.ts spawn': 'a service that stays, and nobody waits for it',
  'lib/lab/venv.ts spawn': 'the person who watches it: Ctrl-C',
  'lib/parse/recorded.ts spawnSync': 'timeout',
  'lib/run/clients/reach.ts spawn': 'whoever asks waits for a time, and nobody for the process',
  'lib/run/clients/process.ts spawn': 'timeoutSeconds of each invocation, then SIGTERM, SIGKILL, and it is abandoned',
  'lib/run/clients/tools.ts execFile': 'timeout',
  'lib/scale/recompress.ts spawn': 'the person who watches its progress: Ctrl-C',
  'lib/scale/compression.ts spawn': 'ten minutes, then it is abandoned',
};

const STARTERS = new Set([
  'spawn',
  'spawnSync',
  'exec',
  'execSync',
  'execFile',
  'execFileSync',
  'fork',
  'fetch',
  'http.request',
]);

test('every client of AWS bounds its calls', () => {
  const unbounded = SOURCES.flatMap((path) =>
    nodesOf(sourceOf(path))
      .filter(ts.isNewExpression)
      .filter(({ expression }) => /^[A-Z]\w+Client$/.test(expression.getText()))
      .filter(({ arguments: given }) => !/\bBOUNDED\b/.test(given?.[0]?.getText() ?? ''))
      .map((node) => ({ path, code: node.getText() })),
  );
  expect(unbounded.filter(({ path }) => OWN_BOUNDS[path] === undefined)).toEqual([]);
  expect([...new Set(unbounded.map(({ path }) => path))].sort()).toEqual(Object.keys(OWN_BOUNDS).sort());
});

test('every process and every request has an end, and here is which', () => {
  const found = SOURCES.flatMap((path) =>
    nodesOf(sourceOf(path))
      .filter(ts.isCallExpression)
      .filter(({ expression }) => STARTERS.has(expression.getText()))
      .map((node) => ({ name: `${path} ${node.expression.getText()}`, text: sourceOf(path).text })),
  );
  expect([...new Set(found.map(({ name }) => name))].sort()).toEqual(Object.keys(STARTS).sort());
  for (const { name, text } of found)
    if (STARTS[name] === 'timeout') expect([name, text]).toEqual([name, expect.stringContaining('timeout')]);
});

test('a service that accepts a call and never answers costs three times the bound', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  let asked = 0;
  silent.on('request', () => asked++);
  const client = new CloudFormationClient({
    ...boundedBy(0.2),
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  try {
    await expect(client.send(new DescribeStacksCommand({}))).rejects.toThrow(/timed? ?out|exceeded/i);
    expect(asked).toBe(3);
  } finally {
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  }
});
