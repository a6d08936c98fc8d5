import { instanceType } from '../../fleet/instanceTypes';
import { gp3Problems } from '../kit/gp3';
import type { Breach, StorageCheck } from '../slices/configuration';
import { type MooseFsStorage, resolved, volumeOf } from './configuration';

/** A setting, and why a type cannot be taken; `[]` for one that can. */
function typeProblems(setting: string, type: string): Breach[] {
  if (instanceType(type) !== null) return [];
  return [
    {
      id: 'fsxbench:moosefs-instance-type',
      message: `'${setting}' must be an instance type whose network and EBS bandwidth are known, got ${type}: take one of lib/fleet/instanceTypes.json, such as c5.2xlarge`,
    },
  ];
}

/** Errors that would keep it from being made or from working, naming the settings. */
function errorsOf(configuration: MooseFsStorage): Breach[] {
  const { chunkservers, copies, instanceType: type, masterInstanceType } = resolved(configuration);
  const errors = [
    ...typeProblems('moosefsInstanceType', type),
    ...typeProblems('moosefsMasterInstanceType', masterInstanceType),
    ...gp3Problems(volumeOf(configuration), {
      iops: 'moosefsVolumeIops',
      throughputMiBps: 'moosefsVolumeThroughput',
    }).map((message) => ({ id: 'fsxbench:moosefs-volume', message })),
  ];
  // The master would take it and keep fewer copies, without a word to the client.
  if (copies > chunkservers) {
    errors.push({
      id: 'fsxbench:moosefs-copies',
      message: `'moosefsCopies' must be at most the number of chunkservers, ${chunkservers}, got ${copies}: take fewer copies, or set 'moosefsChunkservers' to ${copies}`,
    });
  }
  return errors;
}

/** Warnings: legal, but they make a comparison doubtful. */
function warningsOf(configuration: MooseFsStorage): Breach[] {
  const { chunkservers, copies, instanceType: type } = resolved(configuration);
  const warnings: Breach[] = [];
  if (chunkservers === 1) {
    warnings.push({
      id: 'fsxbench:moosefs-one-chunkserver',
      message: 'a single chunkserver acts as a network disk: spreading chunks pays from two on',
    });
  }
  if (copies === 1) {
    warnings.push({
      id: 'fsxbench:moosefs-one-copy',
      message:
        'with one copy a lost chunkserver loses data: EBS replicates its volumes, but beside a highly available service only speed compares',
    });
  }
  const { ebsBurstMBps, networkBurstMbps } = instanceType(type) ?? {};
  if (ebsBurstMBps !== undefined || networkBurstMbps !== undefined) {
    warnings.push({
      id: 'fsxbench:moosefs-burst',
      message: `the chunkservers' ${type} has more bandwidth in a burst than sustained, so a long run measures two file systems; take a type without bursts, or keep runs short`,
    });
  }
  return warnings;
}

export function checkMooseFs(configuration: MooseFsStorage): StorageCheck {
  return { errors: errorsOf(configuration), warnings: warningsOf(configuration) };
}

/** A client has one release of the tools. */
export function checkTogether(configurations: readonly MooseFsStorage[]): readonly string[] {
  const engines = [...new Set(configurations.map((one) => resolved(one).engine))];
  return engines.length < 2
    ? []
    : [
        `'moosefsEngine' must be the same for all arms of one deployment, got ${engines.join(' and ')}: deploy them one after the other with 'arms', or set it`,
      ];
}
