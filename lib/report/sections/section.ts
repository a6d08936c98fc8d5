import type { Markup } from '../../kit/page/markup';
import type { RunRecord } from '../../store/record';
import type { Studio } from '../charts';

/** What a section is made from. */
export interface Context extends Studio {
  readonly record: RunRecord;
}

/** One part of the report. To add one (limits, verdicts …) is to add a file and name it in `page.ts`. */
export interface Section {
  /** Fragment of the page's address: stable, since people link to it. */
  readonly id: string;
  readonly title: string | ((context: Context) => string);
  /** `null` where the run has nothing to say here: then neither heading nor entry in the contents appears. */
  render(context: Context): Markup | null;
}
