import { agents } from '../../common/aws/connection';
import { explain } from '../../common/aws/explain';
import { display, type Found, S3_SCHEME, type Survey, splitS3 } from './survey';

/** Why S3 refused to list a bucket or, with a key, to read an object, in one line that names them and the next step. */
export function s3ReasonOf(
  error: unknown,
  { bucket, key }: { readonly bucket: string; readonly key?: string },
): string {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const what = key === undefined ? `bucket '${bucket}'` : `object '${oneLine(key)}' of bucket '${bucket}'`;
  if (name === 'NoSuchBucket') return `there is no bucket '${bucket}': aws s3 ls lists your buckets`;
  if (name === 'InvalidObjectState') return `${what} is archived: restore it first`;
  // If S3's answer has no body there is no code, only the status.
  if (name === 'AccessDenied' || status === 403) {
    const action = key === undefined ? 's3:ListBucket' : 's3:GetObject';
    return `access to ${what} is denied: grant ${action} to the identity that aws sts get-caller-identity prints`;
  }
  if (key !== undefined && (status === 404 || status === 416))
    return `${what} was deleted or truncated during the scan: estimate again when nothing changes`;
  const cause = oneLine(explain(error));
  return cause.includes(': ')
    ? `${what} cannot be read: ${cause}`
    : `${what} cannot be read: ${cause}: try aws s3 ls s3://${bucket}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Storage classes whose objects must be restored before they can be read (S3 user guide, "Storage classes"). */
const ARCHIVED = new Set(['GLACIER', 'DEEP_ARCHIVE']);

/** Loaded on the first `s3://` path: local files start quickly. */
async function makeClient() {
  const { S3Client } = await import('@aws-sdk/client-s3');
  return new S3Client({
    // Path-style addresses work for emulators, which have no DNS name per bucket.
    forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined,
    followRegionRedirects: true,
    // Milliseconds; without timeouts a dead connection would block forever.
    requestHandler: { ...agents(), connectionTimeout: 10_000, socketTimeout: 30_000 },
  });
}

/** The objects under a prefix; a key names one object or, as a prefix, all objects below it. */
export async function* listObjects(
  address: string,
  notes: Survey,
  signal?: AbortSignal,
): AsyncGenerator<readonly Found[]> {
  const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3');
  const { bucket, key } = splitS3(address);
  const client = await makeClient();
  const exact = key === '' || key.endsWith('/');
  let found = false;
  try {
    const request = { Bucket: bucket, Prefix: key, OptionalObjectAttributes: ['RestoreStatus' as const] };
    for await (const page of paginateListObjectsV2({ client }, request, { abortSignal: signal })) {
      const batch: Found[] = [];
      for (const object of page.Contents ?? []) {
        const name = object.Key ?? '';
        // `s3://bucket/run1` must not match `s3://bucket/run10/…`.
        if (!exact && name !== key && !name.startsWith(`${key}/`)) continue;
        found = true;
        const path = `${S3_SCHEME}${bucket}/${name}`;
        if (name.endsWith('/') && object.Size === 0) continue;
        const restored = object.RestoreStatus?.RestoreExpiryDate !== undefined;
        if (ARCHIVED.has(object.StorageClass ?? '') && !restored)
          notes.unreadable(path, `archived in ${object.StorageClass}: restore it first`);
        else batch.push({ path, bytes: object.Size ?? 0 });
      }
      yield batch;
    }
    if (!found)
      notes.unreadable(
        display(address),
        `no object has this name or prefix: list the bucket with aws s3 ls s3://${bucket}`,
      );
  } catch (error) {
    if (!signal?.aborted) notes.unreadable(display(address), s3ReasonOf(error, { bucket }));
  } finally {
    client.destroy();
  }
}

export type ReadRange = (path: string, offset: number, length: number) => Promise<Uint8Array>;

/** @returns a reader that reuses its connections; its errors say in one line what S3 refused */
export async function makeRangeReader(): Promise<ReadRange> {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3');
  const client = await makeClient();
  return async (path, offset, length) => {
    const { bucket, key } = splitS3(path);
    const range = `bytes=${offset}-${offset + length - 1}`;
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range: range }));
      return Body === undefined ? new Uint8Array() : await Body.transformToByteArray();
    } catch (error) {
      throw new Error(s3ReasonOf(error, { bucket, key }));
    }
  };
}
