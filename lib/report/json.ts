import type { Sentence } from '../kit/page/arms';
import type { RunRecord } from '../store/record';
import { type Answer, answers, validitySentence } from './answers';
import { findings, labSentences } from './findings';
import { absentMetrics } from './metricSeries';
import { type RunSummary, summarise } from './summary';

/** What `fsxbench report --json` prints: the report's figures, without its prose about the deployment. */
export interface ReportDocument extends Omit<RunSummary, 'record' | 'superseded'> {
  readonly schema: 'fsxbench.report/1';
  /** The result and what must be known before it, in plain words. */
  readonly findings: readonly string[];
  /** Whether the run can be believed, in words. */
  readonly verdict: string;
  /** What limited it, whether published figures reproduce, what it cost, in plain words. */
  readonly answers: readonly { readonly question: Answer['question']; readonly sentences: readonly string[] }[];
  readonly caveats: readonly string[];
  readonly supersededSamples: number;
  readonly absentMetrics: readonly { readonly reason: string; readonly names: readonly string[] }[];
  readonly environment: RunRecord['environment'];
  readonly raw: RunRecord['raw'];
}

/** The report as data. A value that is not known is `null` with a reason beside it. */
export function toJson(record: RunRecord): ReportDocument {
  const { record: _, superseded, ...summary } = summarise(record);
  const text = (sentence: Sentence): string =>
    sentence.map((part) => (typeof part === 'string' ? part : part.arm)).join('');
  const full = { ...summary, record, superseded };
  const mark = summary.validity === 'INVALID' ? 'INVALID: ' : '';
  return {
    schema: 'fsxbench.report/1',
    ...summary,
    findings: findings(full).map((sentence) => `${mark}${text(sentence)}`),
    verdict: validitySentence(full),
    answers: answers(full).map(({ question, isResult, sentences }) => ({
      question,
      sentences: sentences.map((sentence) => `${isResult ? mark : ''}${text(sentence)}`),
    })),
    caveats: labSentences(full).map(text),
    supersededSamples: superseded.length,
    absentMetrics: absentMetrics(record),
    environment: record.environment,
    raw: record.raw,
  };
}
