import { instanceType } from '../../fleet/instanceTypes';
import { storageOf } from '../../storage/lookup';
import type { Benchmark, ProofFleet, ProofNeed } from '../benchmark';
import { clientsFor, evenClients } from '../common/clients';
import { paired } from './plan/paired';
import { published } from './plan/published';

/**
 * NONE against LZ4, as the AWS compression blog compared them: two file systems of 14,400 GiB PERSISTENT_1 SSD at 200 MB/s/TiB,
 * four c5n.9xlarge clients each with 144 ranks (36 vCPUs × 4 clients; 576 ranks in all).
 */
export const compressionBench: Benchmark = {
  name: 'CompressionBench',
  question: 'What does LZ4 compression do to the throughput and the space of FSx for Lustre?',
  study: 'AWS compression blog',
  about: ['bytes_written', 'bytes_read'],
  dividesFleet: true,
  plans: [paired, published],
  arms: (scale) =>
    ['NONE', 'LZ4'].map((dataCompressionType) => {
      const storage = {
        kind: 'lustre',
        deploymentType: 'PERSISTENT_1',
        storageType: 'SSD',
        storageCapacityGiB: scale === 'published' ? 14_400 : 1_200,
        perUnitStorageThroughput: scale === 'published' ? 200 : 50,
        dataCompressionType,
        version: '2.15',
        // As the study striped.
        stripeCount: -1,
      };
      return { name: dataCompressionType.toLowerCase(), storage };
    }),
  fleet: (scale) =>
    scale === 'published'
      ? { instanceType: 'c5n.9xlarge', clients: 8, ranksPerClient: 144 }
      : { instanceType: 'c5n.large', clients: 2, ranksPerClient: 2 },
  proof: halfForEachArm,
  lab: {
    fleet: { clients: 1, instanceType: null, ranksPerClient: 2 },
    modelled: 'servers',
    headline: 'throughput and space with and without compression, on data of several compressibilities',
  },
};

/** Each arm has half of the clients, so that there are twice as many as the workload has, or as the need takes, over EFA where that is asked for. */
function halfForEachArm({ storage, throughputMBps, clients }: ProofNeed): ProofFleet {
  const type = clients?.instanceType ?? compressionBench.fleet('published').instanceType;
  const { networkBaselineMbps } = instanceType(type) ?? {};
  const efa = clients?.efa === true && storageOf(storage).documented.performance?.efa?.enabled(storage) === true;
  const each = Math.max(clients?.count ?? 0, clientsFor(throughputMBps, storage, { networkBaselineMbps, efa }));
  return { instanceType: type, clients: evenClients(2 * each), ...(efa && { efaClients: true }) };
}
