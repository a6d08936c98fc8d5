import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Estimate } from '../estimate';
import { explorePage } from '../explore/page';
import { readWhole } from '../kit/readWhole';
import { estimateOf } from './advise';
import { type CliContext, printJson, UsageError } from './context';
import { checkPaths } from './estimate';
import type { FoundData } from './input/requirement';
import { writePageTo } from './render/writePageTo';

export interface ExploreOptions {
  readonly data?: readonly string[];
  readonly estimate?: string;
  readonly html: string;
  readonly json?: boolean;
}

/** `fsxbench explore`: `advise` and `predict` as one page. */
export async function exploreCommand(
  context: CliContext,
  { data, estimate, html, json }: ExploreOptions,
): Promise<void> {
  if (data !== undefined && estimate !== undefined)
    throw new UsageError("'--estimate' cannot be combined with --data, which is estimated: give one of them");
  checkPaths(data ?? []);
  const found = data !== undefined ? await estimateOf(context, data) : estimate === undefined ? null : read(estimate);
  const program = brotliDecompressSync(readFileSync(join(context.root, 'dist', 'explore.js.br'))).toString();
  writePageTo(html, explorePage(program, found === null ? null : foundIn(found, data ?? [])));
  if (json) printJson(context, { schema: 'fsxbench.explore/1', html });
  else context.out(`${html}\n`);
}

/** The part of an estimate that the page needs: no file is named in it. */
function foundIn(estimate: Estimate, paths: readonly string[]): FoundData & { paths: readonly string[] } {
  const { files, logicalBytes, uncompressedBytes, allocatedBytes, ratio } = estimate;
  return { files, logicalBytes, uncompressedBytes, allocatedBytes, ratio, paths };
}

/** @throws UsageError for a file that is not an estimate */
function read(file: string): Estimate {
  let found: Partial<Estimate>;
  try {
    found = JSON.parse(readWhole(file)) as Partial<Estimate>;
  } catch (error) {
    throw new UsageError(`'--estimate' must be what estimate compression --json printed: ${(error as Error).message}`);
  }
  if (found.schema !== 'fsxbench.estimate/1' || !found.logicalBytes)
    throw new UsageError(
      `'--estimate' must be what estimate compression --json printed, got ${found.schema ?? 'another file'} in '${file}'`,
    );
  return found as Estimate;
}
