const NETWORK = /\b(?:getaddrinfo )?(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH)\b\s*(\S*)/;

/** Names of errors with which a service refuses credentials that were good once. */
const EXPIRED = /^(?:ExpiredToken|ExpiredTokenException|RequestExpired|TokenRefreshRequired)$/;

/** Why there are no credentials, and the command that gets some. */
interface CredentialFault {
  readonly fault: string;
  readonly advice: string;
  readonly command: string;
  /** Another way out. @default - none */
  readonly otherwise?: string;
}

/** The fault of credentials, from the SDK's providers or a service; `null` for any other error. */
export function credentialFault(error: unknown): CredentialFault | null {
  const { name = '', message = '' } = error instanceof Error ? error : {};
  const again = 'sign in again';
  if (EXPIRED.test(name) && process.env.AWS_SESSION_TOKEN)
    return {
      fault: 'the AWS credentials in AWS_SESSION_TOKEN have expired',
      advice: 'set new ones, or none',
      command: 'unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN',
      otherwise: ', or set new ones',
    };
  if (EXPIRED.test(name)) return { fault: 'the AWS credentials have expired', advice: again, command: 'aws sso login' };
  if (!/^(?:Credentials|Token)ProviderError$/.test(name) && !/Could not load credentials/.test(message)) return null;
  // Of a session, the provider of `aws sso login` names this command, and that of `aws login` its cache.
  const [session] = /aws sso login/.exec(message) ?? (/\blogin\b|reauthenticate/.test(message) ? ['aws login'] : []);
  if (session !== undefined)
    return { fault: 'you are not signed in to AWS, or no longer', advice: again, command: session };
  const { AWS_PROFILE: profile } = process.env;
  if (/multi-factor/.test(message))
    return {
      fault: `the profile '${profile}' takes a code (MFA), for which only the AWS CLI asks`,
      advice: 'let it give this shell its credentials',
      // With a named profile, the SDK ignores credentials in the environment.
      command: 'eval "$(aws configure export-credentials --format env)"; unset AWS_PROFILE',
    };
  return {
    fault: `there are no AWS credentials${profile ? ` for the profile '${profile}'` : ''}`,
    advice: 'sign in, or set AWS_PROFILE; the lab needs none',
    command: 'aws configure sso',
    otherwise: ', or set AWS_PROFILE; the lab needs none: npm run quickstart',
  };
}

/** Replaces the SDK's unhelpful messages about missing configuration or network failures with what to do. */
export function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const name = error instanceof Error ? error.name : '';
  const missing = credentialFault(error);
  if (missing !== null) return `${missing.fault}: ${missing.command}${missing.otherwise ?? ''}`;
  if (/Region is missing/.test(message))
    return 'there is no AWS Region: set AWS_REGION, or use the lab: npm run quickstart';
  const { AWS_ENDPOINT_URL: endpoint } = process.env;
  const proxy = ['https_proxy', 'HTTPS_PROXY'].find((variable) => process.env[variable]);
  const network = proxy === undefined ? 'the network and AWS_REGION' : `the network, ${proxy} and AWS_REGION`;
  if (/ECONNREFUSED/.test(message) || name === 'AggregateError')
    return endpoint === undefined
      ? `cannot connect to ${proxy === undefined ? 'AWS' : `the proxy in ${proxy}`}: check ${network}`
      : `cannot connect to ${endpoint}: is the lab up? (npx fsxbench lab status)`;
  // The SDK's words name its own handler and option.
  if (name === 'TimeoutError') return `${endpoint ?? 'AWS'} did not answer in time: try again, or check ${network}`;
  // Node.js, ERR_PROXY_TUNNEL.
  const [, said] = /Failed to establish tunnel to .*?: HTTP\/[\d.]+ (.*)/.exec(message) ?? [];
  if (said !== undefined)
    return `the proxy of ${proxy} refuses to connect to AWS (${said}): check ${proxy} and NO_PROXY`;
  // OpenSSL's words, on a network that looks into what is encrypted.
  if (/self-signed certificate|local issuer certificate|verify the first certificate/.test(message))
    return `the certificate that answers for AWS is not trusted (${message}): name a file with those of your network in AWS_CA_BUNDLE`;
  const [, code, host] = NETWORK.exec(message) ?? [];
  if (code !== undefined)
    return `AWS cannot be reached${host ? ` at ${host}` : ''} (${code}): check ${network}, or use the lab: npm run quickstart`;
  return message || name;
}

/** True if the same call may well be answered in a moment, as after a machine has slept. */
export function isPassing(error: unknown): boolean {
  const { name = '', message = '' } = error instanceof Error ? error : {};
  return name === 'TimeoutError' || NETWORK.test(message);
}

/** True if a call failed before it reached AWS. */
export function isUnanswered(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return explain(error) !== (message || (error as Error).name);
}
