/** What follows the letters of a family. Source: https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html */
const HPC = /^hpc/;
const STANDARD = /^[acdhimrtz]\d/;

/** The quota of vCPUs on which instances of a type count; `null` for a kind that is not known here. */
export function vcpuQuotaOf(type: string, purchase: 'on-demand' | 'spot'): { readonly code: string } | null {
  if (HPC.test(type)) return { code: 'L-F7808C92' };
  if (!STANDARD.test(type)) return null;
  return { code: purchase === 'spot' ? 'L-34B43A08' : 'L-1216C47A' };
}
