import type { LustreConfiguration } from '../storage/lustre/configuration';

/**
 * What a benchmark stack says about itself: the JSON value of the SSM parameter that the stack's output `Deployment` names.
 * The command line reads it to find what it drives; ids that CloudFormation assigns are resolved in it.
 * At most 4,096 bytes (a standard parameter).
 */
export interface Deployment {
  readonly schema: 'fsxbench.deployment/1';
  readonly benchmark: string;
  readonly scale: string;
  readonly bucket: string;
  readonly document: string;
  readonly autoScalingGroup: string;
  readonly instanceType: string;
  /** What was asked for: an id, or `resolve:ssm:` and the parameter with the newest one's. What a client really booted, the manifest of a run says. */
  readonly image: string;
  readonly clients: number;
  /** MPI processes on each client that the configuration asks for. */
  readonly ranksPerClient: number;
  /** The IOR that the clients build. */
  readonly iorVersion: string;
  readonly dashboard: string;
  readonly logGroup: string;
  /** List price of the whole stack an hour; `null` when one of its prices is unknown. */
  readonly hourlyUsd: number | null;
  /** Of what day and whose the prices are, for people. @default - not recorded, or there is no price */
  readonly priceBasis?: string;
  readonly arms: readonly {
    readonly name: string;
    readonly description: string;
    readonly fileSystemId: string;
    readonly mountPoint: string;
    /** As it was asked for, so that a plan can know its limits. */
    readonly configuration: LustreConfiguration;
    readonly hourlyUsd: number | null;
  }[];
}

/** Name of the stack output that holds the name of the SSM parameter with the {@link Deployment}. */
export const DEPLOYMENT_OUTPUT = 'Deployment';

/**
 * What a client knows about itself: `/etc/fsxbench/client.json`, written at the end of its boot, or by the lab.
 * The driver reads it, and nothing else, to learn how to start processes and where the arms are mounted.
 */
export interface ClientConfig {
  readonly schema: 'fsxbench.client/1';
  /** `ssh`: mpirun over ssh to the fleet's addresses. `local`: everything on this machine. */
  readonly launch: 'ssh' | 'local';
  /** The unprivileged user that MPI runs as; `null`: whoever runs the driver. */
  readonly user: string | null;
  /** Where the client scripts are: `/opt/fsxbench` with `bin/` below. */
  readonly home: string;
  /** CIDR for Open MPI's `btl_tcp_if_include`; `null` when launched locally. */
  readonly networkCidr: string | null;
  readonly arms: Readonly<
    Record<
      string,
      {
        readonly mountPoint: string;
        /** The type of what is mounted there (lib/storage/filesystem.ts): decides how data are laid out and space is read back. */
        readonly filesystem: string;
        /** For people: `btrfs compress-force=lzo on a loop device`. */
        readonly actually: string;
      }
    >
  >;
  /** Version of each tool that is there, such as `{"ior": "3.3.0", "mdtest": "3.3.0", "openmpi": "4.1.8", "fio": "3.33"}`. A tool that is not there is not a key. */
  readonly tools: Readonly<Record<string, string>>;
}
