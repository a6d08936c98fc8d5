import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a store treats a request. */
export type Mood = 'well' | 'slow' | 'silent' | 'refusing' | 'losing-answers';

const SLOW_MS = 1500;

/** An S3 that keeps objects in memory, path-style, and can be in any mood. */
export class MoodyS3 {
  readonly objects = new Map<string, Buffer>();
  mood: Mood = 'well';
  private server: Server | null = null;
  private port = 0;

  /** On the same port again after {@link stop}. */
  async start(): Promise<void> {
    this.server = createServer((request, response) => void this.answer(request, response));
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** As if its process was killed. */
  async stop(): Promise<void> {
    const { server } = this;
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { mood } = this;
    const parts: Buffer[] = [];
    for await (const part of request.on('error', () => {})) parts.push(part as Buffer);
    if (mood === 'silent') return;
    if (mood === 'refusing') {
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
      return;
    }
    if (mood === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    const key = decodeURIComponent(new URL(request.url ?? '/', this.endpoint).pathname.split('/').slice(2).join('/'));
    if (request.method === 'PUT') {
      const known = this.objects.has(key);
      this.objects.set(key, Buffer.concat(parts));
      // The first answer about each object is lost on its way; the object is there.
      if (mood === 'losing-answers' && !known) request.socket.destroy();
      else response.writeHead(200, { etag: '"1"' }).end();
      return;
    }
    const found = this.objects.get(key);
    if (found !== undefined) response.writeHead(200, { 'content-length': found.length }).end(found);
    else
      response
        .writeHead(404, { 'content-type': 'application/xml' })
        .end('<Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>');
  }
}
