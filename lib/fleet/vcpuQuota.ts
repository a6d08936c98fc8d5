/** A quota on the vCPUs of all running instances of a kind in a Region. */
export interface VcpuQuota {
  readonly name: string;
  /** Code in Service Quotas, where the service is `ec2`. */
  readonly code: string;
  /** What a new account has. */
  readonly vcpus: number;
}

/** What follows the letters of a family. Source: https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html */
const HPC = /^hpc/;
const STANDARD = /^[acdhimrtz]\d/;

/** The quota on which instances of a type count; `null` for a kind that is not known here. Source: as above. */
export function vcpuQuotaOf(type: string, purchase: 'on-demand' | 'spot'): VcpuQuota | null {
  if (HPC.test(type)) return { name: 'Running On-Demand HPC instances', code: 'L-F7808C92', vcpus: 0 };
  if (!STANDARD.test(type)) return null;
  return purchase === 'spot'
    ? { name: 'All Standard (A, C, D, H, I, M, R, T, Z) Spot Instance Requests', code: 'L-34B43A08', vcpus: 5 }
    : { name: 'Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances', code: 'L-1216C47A', vcpus: 5 };
}
