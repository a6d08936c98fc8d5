import type { RunSummary } from '../../analysis/summary';
import type { Sentence } from '../../common/page/arms';
import type { Block } from '../blocks';

/** One part of the report, written once for all its forms. */
export interface Section {
  /** Fragment of the page's address: stable, since people link to it. */
  readonly id: string;
  readonly title: string | ((run: RunSummary) => string);
  /** True if its figures are results, each of which is marked in an INVALID run. */
  readonly isResult?: boolean;
  /** For a benchmark's section: the id of the section before it; `null` for the first of all. @default - the last of the results */
  readonly after?: string | null;
  /** The result in a few sentences, if comparing each arm with the first one does not say it; empty if it does. @default - it does */
  headline?(run: RunSummary): readonly Sentence[];
  /** Empty if the section has no content: it then has neither heading nor entry in the contents. */
  blocks(run: RunSummary): readonly (Block | null | false)[];
}
