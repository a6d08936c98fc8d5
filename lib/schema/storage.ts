/**
 * A storage as it was asked for: in the definition of an arm, and as `configuration` in plans, manifests and deployments. Each kind adds
 * its own fields (lib/storage/<kind>). Files of the time before there were kinds have none: read them with `storageOf`.
 */
export interface StorageConfiguration {
  /** `lustre`, `directory` … (lib/storage/registry.ts) */
  readonly kind: string;
}

/** A configuration of any kind; programs and files that are older than the kinds name none. */
export type AnyConfiguration = object & Partial<StorageConfiguration>;
