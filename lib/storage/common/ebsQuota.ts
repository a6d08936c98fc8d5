import { type AccountQuota, askAll } from '../../common/aws/account';
import { stackOf } from '../search';

/** Codes and defaults: https://docs.aws.amazon.com/general/latest/gr/ebs-service.html. */
const QUOTAS = {
  gp3: { code: 'L-7A658B76', usual: { value: 50, warning: 'fsxbench:gp3-quota', of: 'gp3 volumes' } },
  gp2: { code: 'L-D18FCD1D' },
  io2: { code: 'L-09BD8365' },
} as const;

export const EBS_QUOTA_TYPES = Object.keys(QUOTAS) as readonly (keyof typeof QUOTAS)[];

/** Storage in TiB that all volumes of a type in a Region may have together. */
export const ebsQuota = (type: keyof typeof QUOTAS): AccountQuota => ({
  ...QUOTAS[type],
  name: `EBS ${type} storage`,
  service: 'ebs',
  unit: 'TiB',
  used: async (account, butOf) => {
    const Filters = [{ Name: 'volume-type', Values: [type] }];
    const volumes = await askAll(account, 'ec2:DescribeVolumes', { Filters }, 'Volumes');
    return volumes.filter((volume) => stackOf(volume) !== butOf).reduce((sum, { Size = 0 }) => sum + Size / 1024, 0);
  },
});
