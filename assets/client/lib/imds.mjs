// The instance metadata service, version 2 only: Amazon Linux 2023 answers nothing else.

let token;

/**
 * The text at a path such as `meta-data/instance-id`, or `null`. Throws without the service, or if AWS_EC2_METADATA_DISABLED switches it off.
 */
export async function imds(path, timeoutMs = 2000) {
  if (process.env.AWS_EC2_METADATA_DISABLED === 'true') {
    throw new Error('the instance metadata service is switched off (AWS_EC2_METADATA_DISABLED)');
  }
  const base = process.env.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? 'http://169.254.169.254';
  token ??= await request(new URL('/latest/api/token', base), timeoutMs, {
    method: 'PUT',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '300' },
  });
  return request(new URL(`/latest/${path}`, base), timeoutMs, { headers: { 'x-aws-ec2-metadata-token': token } });
}

async function request(url, timeoutMs, options) {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`instance metadata ${url.pathname} answered ${response.status}`);
  return response.text();
}
