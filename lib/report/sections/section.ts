import type { Markup } from '../../kit/page/markup';
import type { RunRecord } from '../../store/record';
import type { Block } from '../blocks';
import type { Studio } from '../charts';
import type { RunSummary } from '../summary';

/** One part of the report, written once for all its forms. */
export interface Section {
  /** Fragment of the page's address: stable, since people link to it. */
  readonly id: string;
  readonly title: string | ((run: RunSummary) => string);
  /** True of figures that are results: of an INVALID run each says so. */
  readonly isResult?: boolean;
  /** The id of the section that it follows, where a benchmark brings it. @default - it comes after all results */
  readonly after?: string;
  /** Empty where the run has nothing to say here: then neither heading nor entry in the contents appears. */
  blocks(run: RunSummary): readonly (Block | null | false)[];
}

/** What a section that is not yet made of blocks is made from. */
export interface Context extends Studio {
  readonly record: RunRecord;
}

/** A section that is not yet made of blocks. */
export interface PageSection {
  readonly id: string;
  readonly title: string | ((run: RunSummary) => string);
  readonly isResult?: boolean;
  render(context: Context): Markup | null;
}
