import { RegionInfo } from 'aws-cdk-lib/region-info';
import { isRegion, REGIONS } from '../../../lib/common/aws/regions';
import { REDUCED_BURST_REGIONS } from '../../../lib/storage/lustre/types';

test('the Regions are those that the CDK knows', () => {
  expect([...REGIONS].sort()).toEqual(RegionInfo.regions.map(({ name }) => name).sort());
});

test('every Region with less network burst is one', () => {
  expect(REDUCED_BURST_REGIONS.filter((name) => !isRegion(name))).toEqual([]);
  expect(['us-moon-1', '', 'Frankfurt', 'us-east-1a'].filter(isRegion)).toEqual([]);
});
