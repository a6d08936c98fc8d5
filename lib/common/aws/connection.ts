import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import { explain, isPassing } from './explain';

/**
 * Options of an AWS client's agents, which the SDK alone lacks: the proxy of HTTPS_PROXY except for NO_PROXY, and the authorities in AWS_CA_BUNDLE.
 * Node.js has proxies since 22.21 and 24.5 (https://nodejs.org/api/http.html#built-in-proxy-support). @throws Error naming AWS_CA_BUNDLE
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

/** Also sends `fetch` through the proxy of the environment, if this Node.js can switch at run time. @returns a function that undoes it */
export const proxyFetch = (): (() => void) => (http as Proxying).setGlobalProxyFromEnv?.(process.env) ?? (() => {});

/** Options of an AWS client whose calls end: without a timeout, a silent service blocks the SDK for ever. Each of three attempts has `seconds`. */
export const boundedBy = (seconds: number) => ({
  maxAttempts: 3,
  // The environment is read when a client is made.
  get requestHandler() {
    return {
      ...agents(),
      connectionTimeout: seconds * 1000,
      requestTimeout: seconds * 1000,
      // Otherwise the SDK only warns.
      throwOnRequestTimeout: true,
    };
  },
});

/** For calls whose answers are small. */
export const BOUNDED = boundedBy(30);

interface Patience {
  /** Time between two attempts while the network is away. */
  readonly everySeconds: number;
  /** Time for which it may be away. @default 180 */
  readonly maxSeconds?: number;
  /** Called once each time that it goes. */
  readonly onAway: (message: string) => void;
  /** Error for a question that was answered before, and is no more. @default - its own */
  readonly lost?: (error: unknown) => Error;
}

/**
 * Repeats a request to AWS, perhaps for hours. If the network fails after a first answer, as when a laptop sleeps, it waits for the network.
 * @throws the error of a request that was never answered, that is not the network's, or that lasts too long
 */
export function withRetry<Answer>(
  ask: () => Promise<Answer>,
  { everySeconds, maxSeconds = 180, onAway, lost }: Patience,
): () => Promise<Answer> {
  let answered = false;
  return async () => {
    for (let away: number | null = null; ; ) {
      try {
        const answer = await ask();
        answered = true;
        return answer;
      } catch (error) {
        if (!answered) throw error;
        const isFirst = away === null;
        away ??= Date.now();
        if (!isPassing(error) || (Date.now() - away) / 1000 > maxSeconds) throw lost?.(error) ?? error;
        if (isFirst) onAway(`${explain(error)}; trying again for ${maxSeconds} s`);
        await new Promise((resolve) => setTimeout(resolve, everySeconds * 1000));
      }
    }
  };
}
