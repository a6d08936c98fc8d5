import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DockerImage, SymlinkFollowMode } from 'aws-cdk-lib';
import * as assets from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import { assetPath } from '../../common/assets';

/** Folder with the scripts that run on the clients, and on the servers of storages that have some. */
const FOLDER = assetPath('client');

/** Scripts of storages, to which a link in that folder leads. `npm pack` leaves links out, so that the package has none. */
const STORAGES = 'storage';

/** Puts the folders together as the link does. CDK makes no container where this has done it. */
const linked = {
  image: DockerImage.fromRegistry('scratch'),
  local: {
    tryBundle: (output: string): boolean => {
      cpSync(FOLDER, output, { recursive: true });
      cpSync(assetPath(STORAGES), join(output, STORAGES), { recursive: true });
      return true;
    },
  },
};

/** The scripts as machines fetch them at their first boot. */
export const bundleAsset = (scope: Construct): assets.Asset =>
  new assets.Asset(scope, 'Bundle', {
    path: FOLDER,
    followSymlinks: SymlinkFollowMode.ALWAYS,
    bundling: existsSync(join(FOLDER, STORAGES)) ? undefined : linked,
  });
