/**
 * fsxbench as a library: facts about a file system before anything is deployed. Offline, without AWS; the command line prints the same documents.
 * docs/advise.md has an example.
 *
 * - {@link estimateCompression}: how much LZ4 would save on files (`fsxbench.estimate/1`)
 * - {@link predict}: the documented ceilings of a configuration, and which is the lowest (`fsxbench.predict/1`)
 * - {@link compressedFrom}: the rate to expect with LZ4, from a rate that was measured without it
 * - {@link advise}: the cheapest configurations that meet a requirement, ranked (`fsxbench.advise/1`)
 * - {@link parseFile}, {@link parseText}: a benchmark tool's raw output as data (`fsxbench.parse/1`)
 * - {@link lintDocument}, {@link lintFile}: problems of a benchmark's command line (`fsxbench.lint/1`)
 *
 * Rates are in MB/s (10^6 bytes), file system sizes in GiB as AWS sells them. Invalid arguments throw an Error with a line for each problem:
 * `'ratio' must be from 1 to 255, …, got 0`. A number that nobody publishes is `null`, with a reason next to it.
 */
import './refuseOldNode';
import { type Prediction, type PredictRequest, predict as predictKind } from './predict';
import type { StorageConfiguration } from './schema/deployment';
import { DEFAULT_KIND } from './storage/registry';

/** A configuration of any kind; without `kind`, of FSx for Lustre. */
type Configuration = object & Partial<StorageConfiguration>;

/** A request of {@link predict}. */
interface LibraryRequest<C extends Configuration = Configuration> extends Omit<PredictRequest, 'configuration'> {
  readonly configuration: C;
}

/** Predicts throughput and metadata rates. @throws Error with one line per problem of the request */
export function predict<C extends Configuration>(request: LibraryRequest<C>): Prediction<C & StorageConfiguration> {
  const configuration = { ...request.configuration, kind: request.configuration.kind ?? DEFAULT_KIND };
  return predictKind({ ...request, configuration }) as Prediction<typeof configuration>;
}

export { type Advice, advise, type Option, type Requirement } from './advise';
export { type Estimate, estimateCompression } from './estimate';
export type { EstimateOptions } from './estimate/options';
export { type LintContext, type LintDocument, type LintFinding, lintDocument, lintFile } from './lint';
export { parseFile, parseText } from './parse';
export { compressedFrom } from './predict';
export type { ParseDocument } from './schema/parse';
/** A configuration of each kind that can be predicted. */
export type { EfsStorage, LustreConfiguration, LustreZfsStorage, MooseFsStorage } from './storage/registry';
export type { LibraryRequest as PredictRequest, Prediction };
