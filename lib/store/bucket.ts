import type { S3Client } from '@aws-sdk/client-s3';

/** Where the files of runs are kept for good: keys and whole objects. */
export interface ResultsStore {
  readonly describe: string;
  put(key: string, body: Uint8Array | string): Promise<void>;
  /** The object, or `null` when there is none. */
  get(key: string): Promise<Buffer | null>;
  /** Keys below a prefix, sorted, with their size. */
  list(prefix: string): Promise<{ key: string; size: number }[]>;
}

/** A store that can be looked through without reading all of its keys. */
export interface BrowsableStore extends ResultsStore {
  /** What lies directly below a prefix that ends with `/`: keys with their size, and prefixes that go on, both sorted. */
  browse(prefix: string): Promise<{ files: { key: string; size: number }[]; folders: string[] }>;
}

/** A bucket of S3, or of whatever `AWS_ENDPOINT_URL` names. */
export class S3Store implements BrowsableStore {
  private client: S3Client | undefined;

  constructor(readonly bucket: string) {}

  get describe(): string {
    return `s3://${this.bucket}`;
  }

  async put(key: string, body: Uint8Array | string): Promise<void> {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3');
    await (await this.s3()).send(
      new PutObjectCommand({ Bucket: this.bucket, Key: key, Body: body, ContentType: contentType(key) }),
    );
  }

  async get(key: string): Promise<Buffer | null> {
    const { GetObjectCommand, NoSuchKey } = await import('@aws-sdk/client-s3');
    try {
      const answer = await (await this.s3()).send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
      return Buffer.from((await answer.Body?.transformToByteArray()) ?? []);
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async list(prefix: string): Promise<{ key: string; size: number }[]> {
    const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3');
    const found: { key: string; size: number }[] = [];
    for await (const page of paginateListObjectsV2(
      { client: await this.s3() },
      { Bucket: this.bucket, Prefix: prefix },
    )) {
      for (const { Key, Size } of page.Contents ?? []) if (Key) found.push({ key: Key, size: Size ?? 0 });
    }
    return found.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async browse(prefix: string): Promise<{ files: { key: string; size: number }[]; folders: string[] }> {
    const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3');
    const files: { key: string; size: number }[] = [];
    const folders: string[] = [];
    for await (const page of paginateListObjectsV2(
      { client: await this.s3() },
      { Bucket: this.bucket, Prefix: prefix, Delimiter: '/' },
    )) {
      for (const { Key, Size } of page.Contents ?? []) if (Key) files.push({ key: Key, size: Size ?? 0 });
      for (const { Prefix } of page.CommonPrefixes ?? []) if (Prefix) folders.push(Prefix);
    }
    return { files: files.sort((a, b) => (a.key < b.key ? -1 : 1)), folders: folders.sort() };
  }

  private async s3(): Promise<S3Client> {
    if (!this.client) {
      const { S3Client } = await import('@aws-sdk/client-s3');
      // An endpoint of one's own has no name per bucket.
      this.client = new S3Client({ forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined, maxAttempts: 5 });
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

/** So that a file of a run opens in a browser as what it is. */
function contentType(key: string): string {
  return CONTENT_TYPES[key.slice(key.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8';
}
