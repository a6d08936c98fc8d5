import { Construct } from 'constructs';
import { type InstanceStoreStorage, instanceStore } from '../../storage/instance-store';
import { checked } from '../common';
import type { MountValues, StorageConstruct, StorageDeployment } from './construct';

/** No resources: the disks come and go with the client, and no service has metrics of them. */
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

export const instanceStoreDeployment: StorageDeployment<InstanceStoreStorage, InstanceStoreDisks> = {
  kind: 'instance-store',
  deploy(scope, id, { configuration }) {
    const disks = new InstanceStoreDisks(scope, id);
    checked(disks, instanceStore.configuration.check(configuration));
    return disks;
  },
  alarms: () => [],
};
