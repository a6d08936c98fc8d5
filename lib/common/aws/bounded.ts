import { agents } from './agents';

/**
 * Configuration of an AWS client whose calls end: the SDK waits for an answer for as long as the connection is open, and a service that
 * is silent would stop whatever waits for it. Each attempt has the time; a call makes three.
 */
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
