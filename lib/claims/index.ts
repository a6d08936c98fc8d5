import awsCompression from '../../claims/aws-compression-blog.json';
import awsMetadata from '../../claims/aws-metadata-blog.json';
import cloudPipeline from '../../claims/cloud-pipeline-comparison.json';
import field from '../../claims/field-measurements.json';
import lanl from '../../claims/lanl-offload-slides.json';
import dask from '../../claims/parallelcluster-dask-blog.json';
import { type Claim, type Study, studySchema } from './schema';

export { normalStorage } from './comparable';
export { incomparableByReason } from './group';
export type { Claim, Study } from './schema';
export type { Judgement, Observation, RunConditions } from './verdict';
export { judge, TOLERANCE } from './verdict';

let loaded: readonly Study[] | undefined;

/** All published studies, read once. */
export function studies(): readonly Study[] {
  loaded ??= [awsCompression, awsMetadata, cloudPipeline, lanl, dask, field].map(readStudy);
  return loaded;
}

/** The published figures of the study that a benchmark definition names, or of all studies without a name. */
export const claimsOf = (study?: string): readonly Claim[] =>
  studies()
    .filter((each) => study === undefined || each.study === study)
    .flatMap(({ claims }) => claims);

/** One published figure by its id. @throws if there is none */
export function claimById(id: string): Claim {
  const claim = claimsOf().find((each) => each.id === id);
  if (!claim) throw new Error(`'id' must be the id of a claim in claims/, got '${id}'`);
  return claim;
}

/**
 * Checks the content of a file of `claims/` and expands each claim's conditions.
 *
 * @throws with all problems if it is invalid
 */
export function readStudy(content: unknown): Study {
  const { study, title, publisher, remarks, conditions, claims } = studySchema.parse(content);
  const ids = new Set<string>();
  return {
    study,
    title,
    publisher,
    remarks,
    claims: claims.map(({ conditions: { use, ...own }, ...claim }) => {
      if (ids.has(claim.id)) throw new Error(`'id' must be unique in a study, got '${claim.id}' twice`);
      ids.add(claim.id);
      const shared = use === undefined ? {} : conditions[use];
      if (!shared) throw new Error(`'use' of ${claim.id} must name conditions of the study, got '${use}'`);
      return { ...claim, study, source: { title, publisher }, conditions: { ...shared, ...own } };
    }),
  };
}
