/** Where a run stands: `status.json`, rewritten at every step and every few seconds within one. */
export interface RunStatus {
  readonly schema: 'fsxbench.status/1';
  readonly run: string;
  readonly benchmark: string;
  /** `interrupted` and `failed` runs can be resumed; `failed` means that the driver went to its end and some steps have no value. */
  readonly state: 'starting' | 'running' | 'interrupted' | 'failed' | 'done';
  readonly step: string | null;
  readonly phase: string | null;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly failedSteps: readonly string[];
  /** When the first session began. */
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly endedAt: string | null;
  /** A run that is resumed has several, the last one under way. @default - written by a version that kept the last one only */
  readonly sessions?: readonly RunSession[];
  readonly etaSeconds: number | null;
  readonly message: string;
  /** Where the driver runs, so that a person can find its log. */
  readonly driver: { readonly host: string; readonly pid: number };
}

/** One driver's work on a run, in ISO 8601. */
export interface RunSession {
  readonly startedAt: string;
  /** `null` while it works. Of a driver that was killed: its last word. */
  readonly endedAt: string | null;
}

/** What the service answered when it was asked about a thing that was deployed, kept as it was. */
export type Described = Readonly<Record<string, unknown>>;

/** One arm as it was deployed. */
export interface DeployedArm {
  readonly name: string;
  readonly description: string;
  /** `fsx-lustre` on AWS and in the emulator; `local` for a directory that the user named. */
  readonly kind: 'fsx-lustre' | 'local';
  readonly fileSystemId: string | null;
  readonly describe: Described | null;
  /** List price; `null` with a reason. */
  readonly hourlyUsd: number | null;
  readonly hourlyReason?: string;
  /** What a client really has under the mount point: `btrfs compress-force=lzo on a loop device` in the lab. */
  readonly actually: string | null;
}

/** What was deployed when the run started: `manifest.json`. */
export interface Manifest {
  readonly schema: 'fsxbench.manifest/1';
  readonly run: string;
  readonly benchmark: string;
  /** True when an emulator stood in for AWS: nothing in it cost money, no rate in it is Amazon's. */
  readonly lab: boolean;
  readonly stack: {
    readonly name: string;
    readonly id: string;
    /** List price of all of it. @default - not recorded: what is known are the arms and the fleet */
    readonly hourlyUsd?: number | null;
    /** Of what day and whose the prices are, for people. @default - not recorded, or there is no price */
    readonly priceBasis?: string;
  } | null;
  readonly region: string | null;
  readonly account: string | null;
  readonly arms: readonly DeployedArm[];
  readonly fleet: {
    readonly autoScalingGroup: string | null;
    readonly instanceType: string | null;
    /** Of all clients; several, with a comma between them, where clients differ. */
    readonly image: string | null;
    readonly clients: readonly {
      readonly instanceId: string;
      readonly privateIp: string;
      /** The image that it booted. @default - not recorded */
      readonly image?: string;
    }[];
    readonly hourlyUsd: number | null;
    readonly hourlyReason?: string;
  };
  readonly bucket: string | null;
  readonly document: string | null;
  readonly dashboard: string | null;
  /** How far apart the metrics' points are: 60 on AWS, less in the lab. */
  readonly metricsPeriodSeconds: number;
  readonly tools: Readonly<Record<string, string>>;
  /** What a reader must know before believing a number, such as that this is a lab run. */
  readonly notices: readonly string[];
}

/** Points of one CloudWatch metric over a window. */
export interface CollectedSeries {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
  readonly unit: string | null;
  readonly periodSeconds: number;
  /** Start of each period in ISO 8601, and its value. */
  readonly points: readonly (readonly [string, number])[];
  /** Why there are no points, when there are none. */
  readonly reason?: string;
}

/** The same over a run's window, of an arm: an entry of `metrics/<arm>.json`. */
export interface MetricSeries extends CollectedSeries {
  readonly arm: string;
}

/** `metrics/<arm>.json` */
export interface MetricsFile {
  readonly schema: 'fsxbench.metrics/1';
  readonly run: string;
  readonly window: { readonly from: string; readonly to: string };
  readonly series: readonly MetricSeries[];
}

/** `metrics/dashboard/series.json`: what the run's dashboard shows beside what the files of the arms have. */
export interface DashboardMetricsFile {
  readonly schema: 'fsxbench.dashboard-metrics/1';
  readonly run: string;
  readonly dashboard: string;
  readonly window: MetricsFile['window'];
  readonly series: readonly CollectedSeries[];
  /** The dashboard's alarms as they were when this was collected; `null` in the lab, which evaluates none. */
  readonly alarms: readonly CollectedAlarm[] | null;
}

/** An alarm as CloudWatch described it. */
export interface CollectedAlarm {
  readonly name: string;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  /** Since when, in ISO 8601; `null` where CloudWatch does not say. */
  readonly since: string | null;
  readonly description: string;
}
