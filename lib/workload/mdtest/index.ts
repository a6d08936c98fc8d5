import { accessByOption } from '../kit/lint/access';
import { RELEASE_IN_PATH } from '../kit/lint/iorRelease';
import type { Tool } from '../tool';
import { MDTEST_RULES, mdtestOptions } from './lint';
import { isMdtest, parseMdtest } from './text';

/** mdtest, which comes with IOR: operations on files and directories a second, by many processes, started by MPI. */
export const mdtest: Tool = {
  id: 'mdtest',
  output: {
    formats: [{ recognizes: isMdtest, parse: parseMdtest }],
    complaint: /(?:^|\n)(?:Synopsis mdtest\b|mdtest ERROR: )/,
  },
  lint: {
    options: mdtestOptions,
    rules: MDTEST_RULES,
    versionedName: true,
    versionInPath: RELEASE_IN_PATH,
    place: 'd',
    placeIsDirectory: true,
    access: (launched) => {
      const options = mdtestOptions(launched.args);
      return accessByOption(launched, options, 'd', options.has('C') || !options.has('T', 'E', 'r'));
    },
  },
};
