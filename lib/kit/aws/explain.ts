const NETWORK = /\b(?:getaddrinfo )?(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH)\b\s*(\S*)/;

/** Replaces the SDK's unhelpful messages about missing configuration or network failures with what to do. */
export function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const name = error instanceof Error ? error.name : '';
  if (name === 'CredentialsProviderError' || /Could not load credentials/.test(message))
    return 'there are no AWS credentials: configure them (aws configure sso, AWS_PROFILE), or use the lab: npm run quickstart';
  if (/Region is missing/.test(message))
    return 'there is no AWS Region: set AWS_REGION, or use the lab: npm run quickstart';
  if (/ECONNREFUSED/.test(message) || name === 'AggregateError')
    return `nothing answers at ${process.env.AWS_ENDPOINT_URL ?? 'the endpoint'}: is the lab up? (npx fsxbench lab status)`;
  // The SDK's words name its own handler and option.
  if (name === 'TimeoutError')
    return `${process.env.AWS_ENDPOINT_URL ?? 'AWS'} did not answer in time: try again, or check the network and AWS_REGION`;
  const [, code, host] = NETWORK.exec(message) ?? [];
  if (code !== undefined)
    return `AWS cannot be reached${host ? ` at ${host}` : ''} (${code}): check the network and AWS_REGION, or use the lab: npm run quickstart`;
  return message || name;
}

/** True if a call failed before it reached AWS. */
export function isUnanswered(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return explain(error) !== (message || (error as Error).name);
}
