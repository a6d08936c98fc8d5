import { readFileSync } from 'node:fs';
import * as http from 'node:http';

/**
 * Options of an AWS client's agents, so that it reaches AWS the way that the AWS CLI and the CDK do, which the SDK by itself does not: through the
 * proxy of HTTPS_PROXY, but to hosts of NO_PROXY directly, and trusting the authorities in AWS_CA_BUNDLE alone, if it is set. Node.js has proxies since
 * 22.21 and 24.5 (https://nodejs.org/api/http.html#built-in-proxy-support); an earlier one ignores them.
 *
 * @throws Error naming AWS_CA_BUNDLE if it cannot be read
 */
export function agents() {
  const proxied = { proxyEnv: process.env };
  return { httpAgent: proxied, httpsAgent: { ...proxied, ...authorities() } };
}

function authorities() {
  const { AWS_CA_BUNDLE: file } = process.env;
  if (!file) return {};
  try {
    return { ca: readFileSync(file) };
  } catch (error) {
    throw new Error(`AWS_CA_BUNDLE must be a file of certificates, got '${file}': ${(error as Error).message}`);
  }
}

interface Proxying {
  readonly setGlobalProxyFromEnv?: (environment: NodeJS.ProcessEnv) => () => void;
}

/** Lets `fetch` go through the proxy of the environment, too, in a Node.js that can be told so while it runs. @returns ends it */
export const proxyFetch = (): (() => void) => (http as Proxying).setGlobalProxyFromEnv?.(process.env) ?? (() => {});
