import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { DockerImage, type Duration, Lazy, Stack, SymlinkFollowMode } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as assets from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import { requireNone } from '../../common/configurationError';
import { assetPath } from '../../common/files';
import type { Builds } from '../../fleet/configuration';
import type { INetwork } from '../fleet/construct';
import { BootSignals } from './bootSignals';
import {
  acknowledgeBuilderWildcards,
  buildCachePrefix,
  builderStatements,
  type MachinePermissions,
} from './permissions';
import { instanceRole } from './role';
import { imageOf, signallingInstance } from './server';
import { bootSeconds, buildEnvironment, machineUserData } from './userData';

/** Folder with the scripts that run on the clients, and on the servers of storages that have some. */
const FOLDER = assetPath('client');

/** Link in the bundle's folder to the scripts of storages. `npm pack` leaves links out, so the package has no such link. */
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

/** The scripts as machines fetch them at their first boot. @throws ConfigurationError for a checkout from which no machine could boot */
export function bundleAsset(scope: Construct): assets.Asset {
  checkCheckout();
  return new assets.Asset(scope, 'Bundle', {
    path: FOLDER,
    followSymlinks: SymlinkFollowMode.ALWAYS,
    bundling: existsSync(join(FOLDER, STORAGES)) ? undefined : linked,
  });
}

const AGAIN = 'clone the project again on Linux, macOS or inside WSL';
let checked = false;

/** Refuses a checkout whose machines cannot boot: the stack would wait 45 minutes for billed machines. @throws ConfigurationError naming each file */
export function checkCheckout(): void {
  if (checked) return;
  const root = assetPath('');
  // The package has no scripts of servers.
  const files = ['client', 'server', STORAGES]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile());
  requireNone(files.flatMap(({ parentPath, name }) => problemOf(join(parentPath, name), root)));
  checked = true;
}

function problemOf(path: string, root: string): string[] {
  const name = join('assets', relative(root, path));
  const content = readFileSync(path, 'utf8');
  // Bash ends at a CR before it can report why.
  if (content.includes('\r'))
    return [`'${name}' must have Linux line ends (LF), but has CR LF, with which no instance boots: ${AGAIN}`];
  // Git writes a link as a text file with the link's target if it cannot make links.
  return /^\.\.?\/[^\n]+$/.test(content) && existsSync(resolve(dirname(path), content))
    ? [`'${name}' must be a link, got a text file that git wrote in its place (core.symlinks=false): ${AGAIN}`]
    : [];
}

/** Props of the builder that fills the build cache of a benchmark with the scripts of its clients. */
interface BuilderProps extends Builds, MachinePermissions {
  readonly network: INetwork;
  /** Image that it boots: that of the clients, which will run what is built, or one of the same operating system. */
  readonly imageId: string;
  /** Instance type of the clients: a zone without it has no fleet either, and the builds run on it. */
  readonly instanceType: ec2.InstanceType;
  readonly rootVolumeGiB: number;
  /** Time that CloudFormation waits for the builds. */
  readonly bootTimeout: Duration;
}

/**
 * One computer that puts Open MPI and IOR into the build cache of its benchmark, as far as they are missing, signals CloudFormation and
 * terminates itself. It alone may write there, since every client runs as root what it finds there (docs/decisions/one-builder.md).
 */
export class Builder extends Construct {
  constructor(scope: Construct, id: string, props: BuilderProps) {
    super(scope, id);
    const { network, benchmark, imageId, bundle, instanceType, results, logGroup, rootVolumeGiB, bootTimeout } = props;
    const stack = Stack.of(this);

    const group = new ec2.SecurityGroup(this, 'SecurityGroup', {
      vpc: network.vpc,
      description: 'Builder of what the clients run',
      allowAllOutbound: false,
    });
    group.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.HTTPS, 'AWS services, packages, sources');

    const permissions = { benchmark, results, bundle, logGroup };
    const role = instanceRole(this, 'Builder of what the clients run', builderStatements(permissions));
    acknowledgeBuilderWildcards(role, permissions);

    const instance: ec2.CfnInstance = signallingInstance(this, {
      name: `${stack.stackName} builder`,
      subnet: network.subnet,
      instanceType,
      image: imageOf(imageId),
      role,
      group,
      onShutdown: ec2.InstanceInitiatedShutdownBehavior.TERMINATE,
      rootVolumeGiB,
      bootTimeout,
      reason: 'It lives for minutes and terminates itself; CloudFormation waits for its signal.',
      userData: machineUserData({
        FSXBENCH_ROLE: 'builder',
        FSXBENCH_BUNDLE_URL: bundle.s3ObjectUrl,
        FSXBENCH_REGION: stack.region,
        FSXBENCH_STACK: stack.stackName,
        ...BootSignals.of(this).environment(1),
        FSXBENCH_SIGNAL_RESOURCE: Lazy.string({ produce: () => instance.logicalId }),
        FSXBENCH_BOOT_SECONDS: bootSeconds(bootTimeout),
        FSXBENCH_CACHE_URL: results.s3UrlForObject(buildCachePrefix(benchmark)),
        ...buildEnvironment(props),
        FSXBENCH_LOG_GROUP: logGroup.logGroupName,
      }),
    });
    instance.node.addDependency(role, network.egress);
  }
}
