const NETWORK = /\b(?:getaddrinfo )?(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH)\b\s*(\S*)/;

/** What the SDK says when nothing is configured or nothing answers helps nobody; say what to do. */
export function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const name = error instanceof Error ? error.name : '';
  if (name === 'CredentialsProviderError' || /Could not load credentials/.test(message))
    return 'there are no AWS credentials: configure them (aws configure sso, AWS_PROFILE), or use the lab: npm run quickstart';
  if (/Region is missing/.test(message))
    return 'there is no AWS Region: set AWS_REGION, or use the lab: npm run quickstart';
  if (/ECONNREFUSED/.test(message) || name === 'AggregateError')
    return `nothing answers at ${process.env.AWS_ENDPOINT_URL ?? 'the endpoint'}: is the lab up? (npx fsxbench lab status)`;
  const [, code, host] = NETWORK.exec(message) ?? [];
  if (code !== undefined)
    return `AWS cannot be reached${host ? ` at ${host}` : ''} (${code}): look at the network and at AWS_REGION, or use the lab: npm run quickstart`;
  return message || name;
}

/** Whether a call failed before AWS could say anything of it. */
export function isUnanswered(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return explain(error) !== (message || (error as Error).name);
}
