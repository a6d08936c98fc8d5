import { IOR_VERSIONS } from '../workload/pattern';
import { UsageError } from './context';

/**
 * Parameters that follow from the tools that a machine has: IOR of the version that is there, or fio alone where there is no IOR that the
 * plan knows the patterns of. For metadata the same with mdtest.
 *
 * @throws UsageError when neither is there
 */
export function toolSettings(
  tools: Readonly<Record<string, string>>,
  plan: string,
  subject: 'data' | 'metadata' = 'data',
): string[] {
  if (subject === 'metadata') return metadataTools(tools, plan);
  const ior = IOR_VERSIONS.find((version) => tools.ior === version);
  if (ior !== undefined && tools.openmpi !== undefined) return [`iorVersion=${ior}`];
  if (plan === 'published') {
    throw new UsageError(
      `the published plan needs IOR ${IOR_VERSIONS.join(' or ')} and mpirun; here is ${tools.ior ? `IOR ${tools.ior}` : 'no IOR'}: take --plan paired`,
    );
  }
  if (tools.fio === undefined)
    throw new UsageError('neither IOR with mpirun nor fio is here: install fio (npx fsxbench doctor says how)');
  return ['tool=fio'];
}

function metadataTools(tools: Readonly<Record<string, string>>, plan: string): string[] {
  const mdtest = IOR_VERSIONS.find((version) => tools.mdtest === version);
  if (mdtest !== undefined && tools.openmpi !== undefined) return [`iorVersion=${mdtest}`];
  if (plan === 'published') {
    throw new UsageError(
      `the published plan needs mdtest ${IOR_VERSIONS.join(' or ')} and mpirun; here is ${tools.mdtest ? `mdtest ${tools.mdtest}` : 'no mdtest'}: take --plan paired`,
    );
  }
  if (tools.fio === undefined)
    throw new UsageError('neither mdtest with mpirun nor fio is here: install fio (npx fsxbench doctor says how)');
  return ['tool=fio', 'fileBytes=0'];
}
