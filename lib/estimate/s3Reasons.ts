import { explain } from '../kit/aws/explain';

/** What was asked for: the list of a bucket, or an object of it. */
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

/** Why S3 did not answer, in one line that names the bucket and the object, and says what to do next. */
export function s3ReasonOf(error: unknown, { bucket, key }: S3Subject): string {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const what = key === undefined ? `bucket '${bucket}'` : `object '${oneLine(key)}' of bucket '${bucket}'`;
  if (name === 'NoSuchBucket') return `there is no bucket '${bucket}': aws s3 ls names those that you have`;
  if (BAD_CREDENTIALS.has(name))
    return `the AWS credentials are not valid for ${what} (${name}): renew them, such as with aws sso login`;
  if (name === 'InvalidObjectState') return `${what} is archived: restore it first`;
  // Without a body in its answer S3 gives no code, only the status.
  if (name === 'AccessDenied' || status === 403) {
    const action = key === undefined ? 's3:ListBucket' : 's3:GetObject';
    return `access to ${what} is denied: grant ${action} to what aws sts get-caller-identity names`;
  }
  if (key !== undefined && (name === 'NoSuchKey' || status === 404))
    return `${what} vanished while it was looked at: estimate again when nothing changes`;
  if (name === 'InvalidRange' || status === 416)
    return `${what} became shorter while it was read: estimate again when nothing changes`;
  if (name === 'SlowDown' || status === 503)
    return `S3 asks for fewer requests to ${what}: try again with a lower --workers`;
  if (name === 'PermanentRedirect' || status === 301)
    return `${what} lies in another Region: set AWS_REGION to the bucket's`;
  if (name === 'TimeoutError') return `S3 did not answer in time for ${what}: look at the network and try again`;
  const said = oneLine(explain(error));
  return said.includes(': ')
    ? `${what} cannot be read: ${said}`
    : `${what} cannot be read: ${said}: try aws s3 ls s3://${bucket}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
