import type { Tool } from '../tool';
import { isDarshan, parseDarshan } from './text';
import { darshanWork } from './work';

/** Darshan, which records the I/O of a user's own program: its logs are read, by the text of darshan-parser. */
export const darshan: Tool = {
  id: 'darshan',
  output: {
    formats: [{ recognizes: isDarshan, parse: parseDarshan }],
    program: 'darshan-parser',
    binary: {
      // As the runtime names a log, and one of a program that did not end (darshan-core.c).
      names: /\.darshan(?:_partial)?$/,
      command: (path) => ['darshan-parser', path],
      package: 'darshan-util (module load darshan, or spack install darshan-util)',
    },
  },
  recorded: darshanWork,
};
