/** An image: its id, the parameter that holds it at the launch, or the name pattern by which a service finds its newest one. */
export type LaunchImage =
  | { readonly id: string }
  | { readonly parameter: string }
  | { readonly owner: string; readonly name: string };

/** Instances that a deployment starts, all alike. */
export interface InstanceLaunch {
  /** For people: `clients`, `MooseFS master`. */
  readonly name: string;
  readonly instanceType: string;
  /** The context keys that choose the type and the image. @default - neither can be chosen */
  readonly settings: { readonly instanceType?: string; readonly image?: string };
  readonly count: number;
  readonly purchase:
    | { readonly kind: 'on-demand' | 'spot' }
    | { readonly kind: 'capacity-reservation'; readonly id: string };
  readonly image: LaunchImage;
  /** GiB of each gp3 volume of one instance, that of the operating system first. */
  readonly volumesGiB: readonly [number, ...number[]];
  /** The service-linked role that starts them, as `service/name`. @default - CloudFormation starts them with its own role */
  readonly startedBy?: string;
  /** True for what ends with the deployment, and is there next to the rest for a minute only. @default false */
  readonly passing?: boolean;
  /** True for nodes that only the user's own jobs start: no quota is reserved for them. @default false */
  readonly onRequest?: boolean;
}

export const ON_DEMAND = { kind: 'on-demand' } as const;
