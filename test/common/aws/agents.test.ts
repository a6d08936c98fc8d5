import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { STS } from '@aws-sdk/client-sts';
import { BOUNDED, proxyFetch } from '../../../lib/common/aws/connection';
import { explain } from '../../../lib/common/aws/explain';

const VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy', 'AWS_CA_BUNDLE'] as const;
const before = { ...process.env };
const asked: (string | undefined)[] = [];
let proxy: Server;

beforeEach(async () => {
  asked.length = 0;
  proxy = createServer();
  proxy.on('connect', ({ url }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  for (const name of VARIABLES) delete process.env[name];
  process.env.HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterEach(() => {
  process.env = { ...before };
  proxy.close();
});

/** The error of a call to a host that nobody has (RFC 6761). */
const askedBy = (host: string): Promise<Error> =>
  new STS({
    ...BOUNDED,
    maxAttempts: 1,
    region: 'us-east-1',
    endpoint: `https://${host}`,
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  })
    .getCallerIdentity({})
    .then(
      () => new Error('it answered'),
      (error: Error) => error,
    );

test('AWS is asked through the proxy of the environment', async () => {
  const error = await askedBy('sts.invalid');
  expect(asked).toEqual(['sts.invalid:443']);
  expect(explain(error)).toBe(
    'the proxy of HTTPS_PROXY refuses to connect to AWS (502 Bad Gateway): check HTTPS_PROXY and NO_PROXY',
  );
});

test('but not the hosts of NO_PROXY', async () => {
  process.env.NO_PROXY = 'localhost,sts.invalid';
  await askedBy('sts.invalid');
  expect(asked).toEqual([]);
});

test('a proxy that is not there is told as one', async () => {
  proxy.close();
  expect(explain(await askedBy('sts.invalid'))).toBe(
    'cannot connect to the proxy in HTTPS_PROXY: check the network, HTTPS_PROXY and AWS_REGION',
  );
});

test('price lists are fetched through it, too', async () => {
  const restore = proxyFetch();
  await fetch('https://pricing.invalid/x').catch(() => {});
  restore();
  expect(asked).toEqual(['pricing.invalid:443']);
});

test('authorities that cannot be read are named', async () => {
  process.env.AWS_CA_BUNDLE = '/no/such.pem';
  expect(() => new STS({ ...BOUNDED, region: 'us-east-1' })).toThrow(
    /^AWS_CA_BUNDLE must be a file of certificates, got '\/no\/such\.pem': ENOENT/,
  );
});
