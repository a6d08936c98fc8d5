import { text } from '../blocks';
import { rerunCommands } from '../rerun';
import type { Section } from './section';

/** The commands that make a run like this one. */
export const rerun: Section = {
  id: 'rerun',
  title: 'Running it again',
  blocks(run) {
    const { words, commands } = rerunCommands(run.record, run);
    return commands.length === 0 ? [] : [text(words), { kind: 'code', code: commands.join('\n'), language: 'sh' }];
  },
};
