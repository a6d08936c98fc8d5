import { createServer } from 'node:net';
import { LabError } from './error';

/** A port of 127.0.0.1 that is free now, for a server that cannot choose its own; another process may be faster than it. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new LabError('no TCP port is free on 127.0.0.1');
  return address.port;
}
