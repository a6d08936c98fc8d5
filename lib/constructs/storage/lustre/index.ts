import { Annotations, RemovalPolicy } from 'aws-cdk-lib';
import { warnings } from '../../../storage/common/settings';
import type { LustreStorage } from '../../../storage/lustre/configuration';
import { isAboutMetadata } from '../../../storage/lustre/dashboard';
import { viewOf } from '../../../storage/lustre/dashboard/view';
import type { StorageDeployment } from '../construct';
import { metadataAlarms, storageAlarms } from './alarms';
import { checkKey, LustreFileSystem } from './fileSystem';

export const lustreDeployment: StorageDeployment<LustreStorage, LustreFileSystem> = {
  kind: 'lustre',
  deploy: (scope, id, { smoke, ...props }) => {
    const next = "Set 'deploymentType' to a persistent type, or leave the arm out with 'arms'.";
    checkKey(props.configuration, props.kmsKey, { name: 'kmsKeyArn', next });
    // It holds only what the benchmark can write again, and one that is left over continues to incur charges.
    const storage = new LustreFileSystem(scope, id, { ...props, removalPolicy: RemovalPolicy.DESTROY });
    if (smoke) {
      const reason = 'scale smoke tests the deployment, not the speed';
      Annotations.of(storage).acknowledgeWarning('fsxbench:lustre-one-server', reason);
    }
    return storage;
  },
  alarms: (scope, arm, words, about) => {
    const view = viewOf(arm);
    const alarms = storageAlarms(scope, view, words);
    return isAboutMetadata(about) ? [...alarms, ...metadataAlarms(scope, view, words)] : alarms;
  },
  warnings: (configurations, { efa }) =>
    warnings({
      'fsxbench:efaClientsUseTcp':
        !efa &&
        configurations.some(({ efaEnabled }) => efaEnabled) &&
        "'efa' makes file systems that EFA clients can mount; the clients of this stack mount them over TCP: set 'efaClients' to true for EFA",
    }),
};
