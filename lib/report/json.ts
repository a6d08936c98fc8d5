import { absentMetrics } from '../analysis/metricViews';
import type { RunSummary } from '../analysis/summary';
import type { RunRecord } from '../store/record';
import { answers, type ReaderAnswer, validitySentence } from './answers';
import type { Text } from './blocks';
import { findings, labSentences } from './findings';
import { isMarked } from './overview';
import { type BlockDocument, blocksJson } from './render/json';
import { blocksWithoutPage, plainText } from './render/shown';
import { sectionsOf } from './sections';

/** Output of `fsxbench report --json`: the report's figures, and its sections as data. */
export interface ReportDocument extends Omit<RunSummary, 'record' | 'arms'> {
  readonly schema: 'fsxbench.report/1';
  /** The first is the baseline that the others are compared with. */
  readonly arms: readonly {
    readonly name: string;
    readonly description: string;
    /** Mounted file system as the client sees it, if it differs from the description. */
    readonly actually: string | null;
    readonly fileSystemId: string | null;
  }[];
  /** The result and what must be known before it, in plain words. */
  readonly findings: readonly string[];
  /** Validity of the run, in words. */
  readonly verdict: string;
  /** Bottlenecks, reproduction of published figures and cost, in plain words. */
  readonly answers: readonly { readonly question: ReaderAnswer['question']; readonly sentences: readonly string[] }[];
  readonly caveats: readonly string[];
  readonly supersededSamples: number;
  readonly absentMetrics: readonly { readonly reason: string; readonly names: readonly string[] }[];
  readonly environment: RunRecord['environment'];
  readonly raw: RunRecord['raw'];
  /** The sections of the report, without what the page opens on demand. */
  readonly sections: readonly {
    readonly id: string;
    readonly title: string;
    readonly isResult: boolean;
    readonly blocks: readonly BlockDocument[];
  }[];
}

/** The report as data. A value that is not known is `null` with a reason next to it. */
export function toJson(run: RunSummary): ReportDocument {
  const { record, ...summary } = run;
  const mark = isMarked(run) ? 'INVALID: ' : '';
  return {
    schema: 'fsxbench.report/1',
    ...summary,
    arms: run.arms.map(({ name, description, deployed }) => ({
      name,
      description,
      actually: deployed?.actually ?? null,
      fileSystemId: deployed?.fileSystemId ?? null,
    })),
    findings: findings(run).map((sentence: Text) => `${mark}${plainText(sentence)}`),
    verdict: validitySentence(run),
    answers: answers(run).map(({ question, isResult, sentences }) => ({
      question,
      sentences: sentences.map((sentence: Text) => `${isResult ? mark : ''}${plainText(sentence)}`),
    })),
    caveats: labSentences(run).map(plainText),
    supersededSamples: record.superseded.length,
    absentMetrics: absentMetrics(record),
    environment: record.environment,
    raw: record.raw,
    sections: sectionsOf(run)
      .map(({ blocks, ...section }) => ({ ...section, blocks: blocksJson(blocksWithoutPage(blocks)) }))
      .filter(({ blocks }) => blocks.length > 0),
  };
}
