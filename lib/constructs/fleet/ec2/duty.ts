import { Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import type { Builds } from '../../../fleet/fleet';
import {
  acknowledgeClientWildcards,
  acknowledgeServerWildcards,
  buildCachePrefix,
  clientStatements,
  serverStatements,
} from '../../machine/permissions';
import { buildEnvironment } from '../../machine/userData';

/** Software of a benchmark that clients have next to their mounts. */
export interface FleetPrograms extends Builds {
  /** Name of the benchmark: below it are the runs that clients write and the builds that they read. */
  readonly benchmark: string;
  /** Bucket for runs and builds. */
  readonly results: s3.IBucket;
}

/** Difference between the clients of a benchmark and those that only mount: rights, inputs of the boot, and traffic among clients. */
export interface Duty {
  /** Description of their group and role, for people. */
  readonly description: string;
  readonly statements: Record<string, iam.PolicyStatement[]>;
  /** Variables of the boot, in the order in which user data exports them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ports that clients open to one another over TCP. @default - none */
  readonly between?: { readonly port: ec2.Port; readonly description: string };
  /** Next step where the environment is too long for user data. @default - that of those who write our scripts */
  readonly shorten?: string;
  /** Tells cdk-nag why the wildcards of the rights are there. */
  acknowledge(role: iam.Role): void;
}

interface Shared {
  readonly bundle: assets.Asset;
  readonly logGroup: logs.ILogGroup;
}

/** Clients that run IOR, mdtest and the driver, and start processes on one another. */
export function measuring(scope: Construct, { bundle, logGroup }: Shared, programs: FleetPrograms): Duty {
  const { benchmark, results } = programs;
  // mpirun starts its daemons over ssh; the private half stays in Parameter Store, readable by this fleet alone.
  const key = new ec2.KeyPair(scope, 'Key', { type: ec2.KeyPairType.ED25519 });
  const keyParameter = `/ec2/keypair/${key.keyPairId}`;
  const keyParameterArn = Stack.of(scope).formatArn({
    service: 'ssm',
    resource: 'parameter',
    resourceName: keyParameter.slice(1),
  });
  const permissions = { benchmark, results, bundle, logGroup, keyParameterArn };
  return {
    description: 'Clients of the benchmark',
    statements: clientStatements(permissions),
    environment: {
      FSXBENCH_CACHE_URL: results.s3UrlForObject(buildCachePrefix(benchmark)),
      ...buildEnvironment(programs),
      FSXBENCH_KEY_PARAMETER: keyParameter,
    },
    // MPI listens on ports of the kernel's choice, and starts its daemons over ssh.
    between: { port: ec2.Port.allTcp(), description: 'MPI and ssh between clients' },
    acknowledge: (role) => acknowledgeClientWildcards(role, permissions),
  };
}

/**
 * Clients that have the file systems mounted and tuned, and nothing of a benchmark.
 *
 * @param setup commands that each of them runs as root when all is mounted
 */
export function mounting(shared: Shared, setup: readonly string[]): Duty {
  return {
    description: 'Clients of the file systems',
    statements: serverStatements(shared),
    environment: { FSXBENCH_ROLE: 'mount', ...(setup.length > 0 && { FSXBENCH_SETUP: setup.join('\n') }) },
    shorten:
      "Shorten 'setup': put the commands into a script, upload that as an Asset (aws-cdk-lib/aws-s3-assets) which the clients may read (grantRead), and have 'setup' fetch and run it.",
    acknowledge: acknowledgeServerWildcards,
  };
}
