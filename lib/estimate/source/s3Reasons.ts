import { explain } from '../../kit/aws/explain';

/** The subject of a request: the listing of a bucket, or an object in it. */
export interface S3Subject {
  readonly bucket: string;
  /** @default - the bucket's list */
  readonly key?: string;
}

const BAD_CREDENTIALS = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidAccessKeyId',
  'InvalidToken',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
]);

/** Why S3 refused, in one line that names the bucket, the object and the next step. */
export function s3ReasonOf(error: unknown, { bucket, key }: S3Subject): string {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const what = key === undefined ? `bucket '${bucket}'` : `object '${oneLine(key)}' of bucket '${bucket}'`;
  if (name === 'NoSuchBucket') return `there is no bucket '${bucket}': aws s3 ls lists your buckets`;
  if (BAD_CREDENTIALS.has(name))
    return `the AWS credentials are not valid for ${what} (${name}): renew them, such as with aws sso login`;
  if (name === 'InvalidObjectState') return `${what} is archived: restore it first`;
  // If S3's answer has no body there is no code, only the status.
  if (name === 'AccessDenied' || status === 403) {
    const action = key === undefined ? 's3:ListBucket' : 's3:GetObject';
    return `access to ${what} is denied: grant ${action} to the identity that aws sts get-caller-identity prints`;
  }
  if (key !== undefined && (name === 'NoSuchKey' || status === 404))
    return `${what} was deleted during the scan: estimate again when nothing changes`;
  if (name === 'InvalidRange' || status === 416)
    return `${what} was truncated during the scan: estimate again when nothing changes`;
  if (name === 'SlowDown' || status === 503)
    return `S3 is throttling requests to ${what}: try again with a lower --workers`;
  if (name === 'PermanentRedirect' || status === 301)
    return `${what} is in another Region: set AWS_REGION to the bucket's`;
  if (name === 'TimeoutError') return `S3 timed out for ${what}: check the network and try again`;
  const said = oneLine(explain(error));
  return said.includes(': ')
    ? `${what} cannot be read: ${said}`
    : `${what} cannot be read: ${said}: try aws s3 ls s3://${bucket}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
