import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../support/patience';

/** Treatment of a request by a store. */
export type Mood = 'well' | 'slow' | 'silent' | 'refusing' | 'losing-answers';

const SLOW_MS = 1500;

export interface Asked {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Store of the objects. */
export interface Backend {
  start(): Promise<void>;
  answer(asked: Asked): Promise<Answer>;
  /** An object of the bucket `results`. */
  object(key: string): Promise<string | undefined>;
  end(): Promise<void>;
}

const keyOf = (path: string): string =>
  decodeURIComponent(new URL(path, 'http://localhost').pathname.split('/').slice(2).join('/'));

/** Keeps objects in memory, path-style. */
export class Memory implements Backend {
  private readonly objects = new Map<string, Buffer>();

  async start(): Promise<void> {}
  async end(): Promise<void> {}

  async object(key: string): Promise<string | undefined> {
    return this.objects.get(key)?.toString('utf8');
  }

  async answer({ method, path, body }: Asked): Promise<Answer> {
    const key = keyOf(path);
    if (method === 'PUT') {
      this.objects.set(key, body);
      return { status: 200, headers: { etag: '"1"' } };
    }
    const found = this.objects.get(key);
    if (found !== undefined) return { status: 200, headers: { 'content-length': String(found.length) }, body: found };
    return {
      status: 404,
      headers: { 'content-type': 'application/xml' },
      body: '<Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>',
    };
  }
}

/** An S3 that can be in any mood. */
export class MoodyS3 {
  mood: Mood = 'well';
  private server: Server | null = null;
  private port = 0;
  private begun = false;
  private readonly known = new Set<string>();

  constructor(private readonly backend: Backend = new Memory()) {}

  /** On the same port again after {@link stop}. */
  async start(): Promise<void> {
    if (!this.begun) await this.backend.start();
    this.begun = true;
    const server = createServer((request, response) => void this.answer(request, response));
    this.server = server;
    // Somebody else may have got its port in the meantime.
    const listens = (): Promise<boolean> =>
      new Promise((resolve) => {
        server.once('error', () => resolve(false)).listen(this.port, '127.0.0.1', () => resolve(true));
      });
    await until('its port', listens);
    this.port = (server.address() as AddressInfo).port;
  }

  /** Ends it like a process that was killed. */
  async stop(): Promise<void> {
    const { server } = this;
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  }

  async end(): Promise<void> {
    await this.stop();
    await this.backend.end();
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  object(key: string): Promise<string | undefined> {
    return this.backend.object(key);
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
    const { method = 'GET', url: path = '/', headers } = request;
    const {
      status,
      headers: answered,
      body,
    } = await this.backend.answer({ method, path, headers, body: Buffer.concat(parts) });
    const isNew = method === 'PUT' && !this.known.has(keyOf(path));
    if (method === 'PUT') this.known.add(keyOf(path));
    // The first answer about each object is lost on its way; the object is there.
    if (mood === 'losing-answers' && isNew) request.socket.destroy();
    else response.writeHead(status, answered).end(body);
  }
}
