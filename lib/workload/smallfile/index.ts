import type { Tool } from '../tool';
import { exactFigures } from './exact';
import { isSmallfileJson, parseSmallfileJson } from './json';
import { isSmallfile, parseSmallfile } from './text';

/** smallfile: operations on many small files, by the threads of one client. */
export const smallfile: Tool = {
  id: 'smallfile',
  output: {
    formats: [
      { recognizes: isSmallfile, parse: parseSmallfile },
      { recognizes: isSmallfileJson, parse: parseSmallfileJson },
    ],
    program: 'smallfile_cli\\.py',
    withSideFiles: exactFigures,
  },
};
