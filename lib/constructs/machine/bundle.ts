import { SymlinkFollowMode } from 'aws-cdk-lib';
import * as assets from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import { assetPath } from '../../kit/assets';

/** Folder with the scripts that run on the clients, and on the servers of storages that have some. */
const FOLDER = assetPath('client');

/** The scripts as machines fetch them at their first boot. */
export function bundleAsset(scope: Construct): assets.Asset {
  return new assets.Asset(scope, 'Bundle', {
    path: FOLDER,
    // The scripts of storages are a link there.
    followSymlinks: SymlinkFollowMode.ALWAYS,
  });
}
