import type { RunSummary } from '../analysis/summary';
import { withoutTurns } from '../common/format/text';
import { answers, validitySentence } from './answers';
import { line } from './blocks';
import { findings } from './findings';
import { isMarked, notice, runSummaryLine, sideBySide } from './overview';
import { blocksMarkdown, textMarkdown } from './render/markdown';
import { blocksWithoutPage } from './render/shown';
import { sectionsOf } from './sections';
import { titleOf } from './title';

/** The report for a terminal, an issue or a pull request: as paper has it, with figures in place of charts. */
export function renderMarkdown(run: RunSummary): string {
  const invalid = isMarked(run) ? '**INVALID** ' : '';
  const parts = [
    `# ${textMarkdown(titleOf(run))}`,
    textMarkdown(line`${[run.benchmark, ...runSummaryLine(run)].join(' · ')} · run ${{ code: run.run }}`),
    ...blocksMarkdown([notice(run)]),
    `**${run.validity}.** ${textMarkdown(validitySentence(run))}`,
    ...findings(run).map((sentence) => `${invalid}${textMarkdown(sentence)}`),
    answers(run)
      .map(({ question, isResult, sentences }) => {
        const words = sentences.map((sentence) => textMarkdown(sentence)).join(' ');
        return `- **${textMarkdown(question)}:** ${isResult ? invalid : ''}${words}`;
      })
      .join('\n'),
    `## Validity: ${run.validity}`,
    ...blocksMarkdown([{ kind: 'issues', issues: run.issues }, sideBySide(run)]),
    ...sectionsOf(run).flatMap(({ title, isResult, blocks }) => {
      const content = blocksMarkdown(blocksWithoutPage(blocks));
      const mark = isResult && invalid !== '' ? ' (INVALID)' : '';
      return content.length === 0 ? [] : [`## ${textMarkdown(title)}${mark}`, ...content];
    }),
  ];
  return withoutTurns(`${parts.filter((part) => part !== '').join('\n\n')}\n`);
}
