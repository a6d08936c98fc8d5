import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { agents } from '../common/aws/connection';
import { boundedSize } from '../common/files';
import { type StreamOptions, writeStreamed } from '../common/writeWhole';

/** A file on this computer that is read while it is uploaded: as many bytes as it had, even if it grows. */
interface FileBody {
  readonly path: string;
  readonly bytes: number;
}

export interface StoredFile {
  readonly key: string;
  readonly size: number;
}

/** An object with the time at which it was written, in milliseconds since 1970. */
export interface DatedFile extends StoredFile {
  readonly modified: number;
}

/** The permanent store of runs: keys and whole objects. */
export interface ResultsStore {
  readonly describe: string;
  /** @param onPart called when a part of a large file has arrived */
  put(key: string, body: Uint8Array | string | FileBody, onPart?: () => void): Promise<void>;
  /** The object, or `null` if the key is unknown. @throws for one that is larger than a document may be */
  get(key: string): Promise<Buffer | null>;
  /** Writes an object of any size to a file, as a whole. @returns false if the key is unknown */
  download(key: string, path: string, options?: StreamOptions): Promise<boolean>;
  /** Keys below a prefix, sorted, with their size. */
  list(prefix: string): Promise<StoredFile[]>;
}

/** A store that can be browsed without listing all of its keys. */
export interface BrowsableStore extends ResultsStore {
  /** The direct children of a prefix that ends with `/`: keys with their size and time, and longer prefixes, both sorted. */
  browse(prefix: string): Promise<{ files: DatedFile[]; folders: string[] }>;
}

/** Slower than any usable connection. */
const LEAST_BYTES_PER_SECOND = 100_000;
/** An aborted call removes its draft; one that ignores its signal is left behind. */
const CLEAN_UP_MS = 1000;

/** An S3 bucket, or one of the service at `AWS_ENDPOINT_URL`. */
export class S3Store implements BrowsableStore {
  private client: S3Client | undefined;

  /** @param callSeconds timeout of each call, plus one second per {@link LEAST_BYTES_PER_SECOND} */
  constructor(
    readonly bucket: string,
    private readonly callSeconds = 60,
  ) {}

  get describe(): string {
    return `s3://${this.bucket}`;
  }

  async put(key: string, body: Uint8Array | string | FileBody, onPart: () => void = () => {}): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const [content, bytes] =
      typeof body === 'object' && 'path' in body
        ? [createReadStream(body.path, { end: body.bytes - 1 }), body.bytes]
        : [body, body.length];
    const params = { Bucket: this.bucket, Key: key, Body: content, ContentType: contentType(key) };
    const upload = new Upload({ client: await this.s3(), params }).on('httpUploadProgress', onPart);
    await this.bounded(`upload of ${key}`, bytes, (abort) => {
      abort.addEventListener('abort', () => void upload.abort());
      return upload.done();
    });
  }

  async get(key: string): Promise<Buffer | null> {
    return this.fetched(key, async (body, bytes) => {
      try {
        boundedSize(bytes);
      } catch (error) {
        (body as Readable).destroy();
        const where = `${this.describe}/${key}`;
        throw new Error(`'${where}' cannot be read: ${(error as Error).message}; see who wrote it, and remove it`);
      }
      return Buffer.from(await body.transformToByteArray());
    });
  }

  async download(key: string, path: string, { min = 0, accept }: StreamOptions = {}): Promise<boolean> {
    const write = (body: unknown, bytes: number) =>
      writeStreamed(path, body as Readable, { min: Math.max(min, bytes), accept });
    return (await this.fetched(key, write)) !== null;
  }

  /** Result made of an object's body; `null` if there is no such object. */
  private async fetched<T>(
    key: string,
    read: (body: NonNullable<GetObjectCommandOutput['Body']>, bytes: number) => Promise<T>,
  ): Promise<T | null> {
    const { GetObjectCommand, NoSuchKey } = await import('@aws-sdk/client-s3');
    try {
      const s3 = await this.s3();
      const { Body, ContentLength = 0 } = await this.bounded(`download of ${key}`, 0, (abortSignal) =>
        s3.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }), { abortSignal }),
      );
      if (Body === undefined) return null;
      return await this.bounded(`download of ${key}`, ContentLength, (abort) => {
        abort.addEventListener('abort', () => (Body as Readable).destroy(abort.reason));
        return read(Body, ContentLength);
      });
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async list(prefix: string): Promise<StoredFile[]> {
    return (await this.listed({ Prefix: prefix })).files.map(({ key, size }) => ({ key, size }));
  }

  async browse(prefix: string): Promise<{ files: DatedFile[]; folders: string[] }> {
    return this.listed({ Prefix: prefix, Delimiter: '/' });
  }

  private async listed(what: { readonly Prefix: string; readonly Delimiter?: string }) {
    const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
    const s3 = await this.s3();
    const files: DatedFile[] = [];
    const folders: string[] = [];
    let ContinuationToken: string | undefined;
    do {
      const command = new ListObjectsV2Command({ Bucket: this.bucket, ...what, ContinuationToken });
      const page = await this.bounded(`list of ${what.Prefix}`, 0, (abortSignal) => s3.send(command, { abortSignal }));
      for (const { Key, Size, LastModified } of page.Contents ?? [])
        if (Key) files.push({ key: Key, size: Size ?? 0, modified: LastModified?.getTime() ?? 0 });
      for (const { Prefix } of page.CommonPrefixes ?? []) if (Prefix) folders.push(Prefix);
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
    return { files: files.sort((a, b) => (a.key < b.key ? -1 : 1)), folders: folders.sort() };
  }

  /** Applies the timeout, including retries, since a bucket may never answer. */
  private async bounded<T>(what: string, bytes: number, call: (abort: AbortSignal) => Promise<T>): Promise<T> {
    const seconds = this.callSeconds + bytes / LEAST_BYTES_PER_SECOND;
    const abort = new AbortController();
    const { signal } = abort;
    const reason = new Error(`no answer to the ${what} within ${Math.round(seconds)} s`);
    const timer = setTimeout(() => abort.abort(reason), seconds * 1000);
    let cleanUp: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        cleanUp = setTimeout(() => reject(reason), CLEAN_UP_MS);
      });
    });
    try {
      return await Promise.race([call(signal), late]);
    } catch (error) {
      throw signal.aborted ? reason : error;
    } finally {
      clearTimeout(timer);
      clearTimeout(cleanUp);
    }
  }

  private async s3(): Promise<S3Client> {
    if (!this.client) {
      const { S3Client } = await import('@aws-sdk/client-s3');
      // A custom endpoint has no DNS name per bucket.
      const forcePathStyle = process.env.AWS_ENDPOINT_URL !== undefined;
      this.client = new S3Client({ forcePathStyle, maxAttempts: 5, requestHandler: agents() });
    }
    return this.client;
  }
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
};

const contentType = (key: string): string =>
  CONTENT_TYPES[key.slice(key.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8';
