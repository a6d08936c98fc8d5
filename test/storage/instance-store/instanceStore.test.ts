import { storageBench } from '../../../lib/benchmark/storage';
import { resolveBenchmark } from '../../../lib/config/benchmark';
import { sumOf } from '../../../lib/price/cost';
import { storageNamed } from '../../../lib/storage/lookup';
import { resourcesOf, stacksWith, theOnly } from '../../support/cdk';

const nvme = storageNamed('instance-store');
const DISKS = { kind: 'instance-store' };

test.each(['c5.2xlarge', 'm6i.large', 'inf2.xlarge', 'c5n.large', 'hpc7g.16xlarge'])(
  'a client of the type %s has no disks for it, and nothing is deployed',
  (instanceType) => {
    expect(() => resolveBenchmark(storageBench, { arms: ['nvme'], instanceType })).toThrow(
      `'instanceType' must be a type with local NVMe disks, such as c5d.2xlarge or i4i.2xlarge with arm nvme, got ${instanceType}.`,
    );
  },
);

test.each(['c5d.2xlarge', 'i4i.2xlarge', 'i7i-flex.large', 'm6id.large', 'r7gd.xlarge', 'im4gn.large', 'is4gen.large'])(
  'a client of the type %s may have them',
  (instanceType) => {
    expect(nvme.client.clientProblem?.(DISKS, instanceType)).toBeNull();
  },
);

test('one client has it, and its price is in that of the client', () => {
  expect(() => resolveBenchmark(storageBench, { arms: ['nvme'], instanceType: 'c5d.2xlarge', clients: 2 })).toThrow(
    "'clients' must be at most 1 with arm nvme",
  );
  expect(sumOf(nvme.price.cost(DISKS, { region: 'us-east-1' }))).toEqual({ hourlyUsd: 0 });
});

test('it is deployed without a resource, and says that its data are lost', () => {
  const settings = { arms: ['nvme', 'xfs'], instanceType: 'c5d.2xlarge' };
  const resources = resourcesOf(stacksWith(settings, undefined, undefined, storageBench).bench);
  expect(theOnly(resources, 'AWS::EC2::Volume').Properties.VolumeType).toBe('gp2');
  expect(JSON.stringify(resources)).toMatch(/\\"kind\\":\\"instance-store\\",\\"mountPoint\\":\\"\/fsx\/nvme\\"/);
  expect(nvme.configuration.check(DISKS).warnings.map(({ id }) => id)).toEqual(['fsxbench:instance-store-lost']);
});
