/** One Lustre setting of a client: what was wanted, and what is in effect. */
export interface TuningSetting {
  /** As `lctl` takes it, such as `osc.*OST*.max_rpcs_in_flight`; `module ksocklnd credits` for a module option. */
  readonly name: string;
  readonly wanted: string;
  /** Each value in effect, once: several when targets differ, none when nothing answers to the name. */
  readonly effective: readonly string[];
  /** Everything that answers to the name has the wanted value. */
  readonly applied: boolean;
  /** The first line of what was said about it, such as `error: set_param: … Numerical result out of range`. */
  readonly message: string | null;
}

/** `tuning.json` of a client, rewritten at each boot and mount. */
export interface Tuning {
  readonly schema: 'fsxbench.tuning/1';
  readonly appliedAt: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly settings: readonly TuningSetting[];
  /** A sentence for each setting that is not as wanted. */
  readonly warnings: readonly string[];
}

/** What a client is, as `describe-node` prints it: `environment/<node>.json`. What cannot be known is `null`, with the reason in `notices`. */
export interface NodeEnvironment {
  readonly schema: 'fsxbench.environment/1';
  readonly node: string;
  readonly at: string;
  readonly os: { readonly id: string | null; readonly version: string | null; readonly name: string | null };
  readonly kernel: string;
  readonly architecture: string;
  readonly cpus: number;
  readonly cpuModel: string | null;
  readonly memoryBytes: number;
  /** From the instance metadata service; `null` where there is none. */
  readonly instance: {
    readonly id: string | null;
    readonly type: string | null;
    readonly image: string | null;
    readonly availabilityZone: string | null;
    readonly privateIp: string | null;
    readonly lifeCycle: string | null;
  } | null;
  /** Versions of the Lustre client's tools; `null` without Lustre. */
  readonly lustre: { readonly lfs: string | null; readonly lctl: string | null } | null;
  /** Where the arms are mounted, from the kernel's own table. */
  readonly arms: Readonly<
    Record<
      string,
      {
        readonly mountPoint: string;
        readonly source: string | null;
        readonly type: string | null;
        readonly options: string | null;
        /** Default layout of new files: `lfs getstripe -d`, as printed. */
        readonly layout: string | null;
        /** Targets of this file system that do not answer as `active`: lines of `lfs check servers`. */
        readonly inactive: readonly string[] | null;
      }
    >
  >;
  /** Lustre parameters in effect, a value for each target: `{"osc.fsx-OST0000-….max_dirty_mb": "64"}`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly tuning: Tuning | null;
  /** First line of what each tool says about its version. A tool that is not there is not a key. */
  readonly tools: Readonly<Record<string, string>>;
  readonly notices: readonly string[];
}
