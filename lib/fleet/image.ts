import { isArm } from './offerings';

/** Kernel that machines boot by default. */
export const DEFAULT_KERNEL = '6.1';

/** The public parameter with the id of the newest Amazon Linux 2023 for a type. Source: https://docs.aws.amazon.com/linux/al2023/ug/ec2.html */
export function imageParameter(kernel: string, instanceType: string): string {
  return `/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-${kernel}-${isArm(instanceType) ? 'arm64' : 'x86_64'}`;
}
