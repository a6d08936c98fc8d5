import { instanceType } from '../../fleet/instanceTypes';
import { type Breach, type Phrase, refusing } from '../../kit/breach';
import { GP3, gp3Of } from '../kit/gp3';
import { warnings } from '../kit/rules';
import type { StorageCheck, Warning } from '../slices/configuration';
import { type MooseFsStorage, resolved, volumeOf } from './configuration';

/** Errors that would keep it from being made or from working, by property. */
function errorsOf(configuration: MooseFsStorage): Breach[] {
  const { errors, refuse } = refusing(resolved(configuration), 'fsxbench:moosefs');
  const { chunkservers, copies, ...types } = resolved(configuration);
  const known = 'an instance type whose network and EBS bandwidth are known';
  for (const property of ['instanceType', 'masterInstanceType'] as const)
    if (instanceType(types[property]) === null)
      refuse('instance-type', property, known, 'Take one of lib/fleet/instanceTypes.json, such as c5.2xlarge.');
  const { sizeGiB, iops, throughputMiBps } = gp3Of(volumeOf(configuration));
  const mostIops = Math.max(GP3.iops.min, sizeGiB * GP3.iops.mostPerGiB);
  if (iops > mostIops)
    refuse(
      'volume',
      'volumeIops',
      `at most ${mostIops} on a gp3 volume of ${sizeGiB} GiB`,
      'Take less, or a larger one.',
    );
  const { mostPerIops } = GP3.throughputMiBps;
  if (throughputMiBps > iops * mostPerIops)
    refuse('volume', 'volumeThroughputMiBps', `at most ${iops * mostPerIops} MiB/s with ${iops} IOPS`, ({ name }) => {
      return `Take less, or set '${name('volumeIops')}' to ${throughputMiBps / mostPerIops}.`;
    });
  // The master would take it and keep fewer copies, without a word to the client.
  const next: Phrase = ({ name }) => `Take fewer copies, or set '${name('chunkservers')}' to ${copies}.`;
  if (copies > chunkservers) refuse('copies', 'copies', `at most the number of chunkservers, ${chunkservers}`, next);
  return errors;
}

/** Warnings: legal, but they make a comparison doubtful. */
function warningsOf(configuration: MooseFsStorage): Warning[] {
  const { chunkservers, copies, instanceType: type } = resolved(configuration);
  const { ebsBurstMBps, networkBurstMbps } = instanceType(type) ?? {};
  return warnings('fsxbench:moosefs', {
    'one-chunkserver':
      chunkservers === 1 && 'a single chunkserver acts as a network disk: spreading chunks pays from two on',
    'one-copy':
      copies === 1 &&
      'with one copy a lost chunkserver loses data: EBS replicates its volumes, but beside a highly available service only speed compares',
    burst:
      (ebsBurstMBps !== undefined || networkBurstMbps !== undefined) &&
      `the chunkservers' ${type} has more bandwidth in a burst than sustained, so a long run measures two file systems; take a type without bursts, or keep runs short`,
  });
}

export function checkMooseFs(configuration: MooseFsStorage): StorageCheck {
  return { errors: errorsOf(configuration), warnings: warningsOf(configuration) };
}

/** A client has one release of the tools. */
export function checkTogether(configurations: readonly MooseFsStorage[]): readonly Breach[] {
  const engines = [...new Set(configurations.map((one) => resolved(one).engine))];
  return engines.length < 2
    ? []
    : [
        {
          property: 'engine',
          must: 'the same for all arms of one deployment',
          got: engines.join(' and '),
          next: "Deploy them one after the other with 'arms', or set it.",
        },
      ];
}
