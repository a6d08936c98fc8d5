import { Token } from 'aws-cdk-lib';
import type { ClientMount } from '../fleet/construct';

/**
 * What clients mount, as FSXBENCH_ARMS has it. An arm on the servers of an earlier one is `like` that one, and has its own values only: user data
 * has room for the addresses of many servers once, not for each arm.
 */
export const armsText = (mounts: readonly ClientMount[]): string =>
  JSON.stringify(
    mounts.map((mount, index) => {
      const earlier = mounts.slice(0, index).find((other) => sharesServers(mount, other));
      if (earlier === undefined) return mount;
      const own = Object.entries(mount).filter(([field, value]) => fieldOf(earlier, field) !== value);
      return { ...Object.fromEntries(own), like: earlier.name };
    }),
  );

const fieldOf = (mount: ClientMount, field: string): unknown => (mount as Readonly<Record<string, unknown>>)[field];

/** True if arms have a value in common that CloudFormation fills in, such as an address, and the later one lacks none that the earlier one has. */
function sharesServers(mount: ClientMount, earlier: ClientMount): boolean {
  const fields = Object.keys(earlier);
  const shared = fields.filter((field) => fieldOf(mount, field) === fieldOf(earlier, field));
  return fields.every((field) => field in mount) && shared.some((field) => Token.isUnresolved(fieldOf(earlier, field)));
}
