import { BOUNDED } from '../../kit/aws/bounded';
import type { Described } from '../../schema/run';
import { type EfsStorage, efsSchema } from './configuration';

/** Performance modes by their names in the API. */
const PERFORMANCE: Readonly<Record<string, EfsStorage['performanceMode']>> = {
  generalPurpose: 'general-purpose',
  maxIO: 'max-io',
};

/** From what DescribeFileSystems answered; what it leaves out is as planned. */
export function fromDescription(described: Described | null, planned: EfsStorage | null = null): EfsStorage | null {
  const { ThroughputMode, ProvisionedThroughputInMibps, PerformanceMode, AvailabilityZoneName, Encrypted } =
    described ?? {};
  if (ThroughputMode === undefined) return planned;
  const found = efsSchema.safeParse({
    ...planned,
    kind: 'efs',
    throughputMode: ThroughputMode,
    provisionedThroughputMiBps: ThroughputMode === 'provisioned' ? ProvisionedThroughputInMibps : undefined,
    availability: AvailabilityZoneName === undefined ? 'regional' : 'one-zone',
    performanceMode: PERFORMANCE[String(PerformanceMode)] ?? planned?.performanceMode,
    encrypted: Encrypted ?? planned?.encrypted,
  });
  return found.success ? found.data : null;
}

/** The answers of EFS about file systems, unmodified; it is asked for one at a time (API reference, DescribeFileSystems). */
export async function describeAll(ids: readonly string[]): Promise<ReadonlyMap<string, Described>> {
  const { EFSClient, DescribeFileSystemsCommand, FileSystemNotFound } = await import('@aws-sdk/client-efs');
  const client = new EFSClient(BOUNDED);
  const answers = ids.map(async (FileSystemId): Promise<[string, Described][]> => {
    try {
      const { FileSystems = [] } = await client.send(new DescribeFileSystemsCommand({ FileSystemId }));
      return FileSystems.map((one) => [FileSystemId, one as unknown as Described]);
    } catch (error) {
      if (error instanceof FileSystemNotFound) return [];
      throw error;
    }
  });
  return new Map((await Promise.all(answers)).flat());
}
