import { Construct } from 'constructs';
import { checked } from '../../../constructs/checked';
import type { MountValues, StorageConstruct, StorageDeployment } from '../../construct';
import type { InstanceStoreStorage } from '..';
import { instanceStore } from '..';

/** Nothing to make: the disks come and go with the client, and no service counts what they do. */
class InstanceStoreDisks extends Construct implements StorageConstruct {
  readonly resourceId = 'instance-store';

  mountValues(): MountValues {
    return { mountOptions: 'noatime' };
  }

  grantMount(): void {}

  metricOf(): null {
    return null;
  }
}

const GOOD = [
  '**What good looks like.** No service counts what these disks move: see the clients’ CPU and network, which they do not use, and the samples of the run.',
  'What is on them ends with the instance.',
];

/** The instance store in templates and on dashboards. */
export const instanceStoreDeployment: StorageDeployment<InstanceStoreStorage, InstanceStoreDisks> = {
  kind: 'instance-store',
  deploy(scope, id, { configuration }) {
    const disks = new InstanceStoreDisks(scope, id);
    checked(disks, instanceStore.configuration.check(configuration));
    return disks;
  },
  dashboard: () => ({ reading: GOOD, rows: [] }),
  alarms: () => [],
};
