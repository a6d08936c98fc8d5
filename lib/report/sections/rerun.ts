import { block } from '../../kit/page/layout';
import { html } from '../../kit/page/markup';
import { rerunCommands } from '../rerun';
import type { Section } from './section';

export const rerun: Section = {
  id: 'rerun',
  title: 'Running it again',
  render({ record, summary }) {
    const { words, commands } = rerunCommands(record, summary);
    return commands.length === 0 ? null : html`<p>${words}</p>\n${block(commands.join('\n'))}`;
  },
};
