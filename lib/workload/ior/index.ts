import { accessByOption } from '../kit/lint/access';
import { RELEASE_IN_PATH } from '../kit/lint/iorRelease';
import type { Tool } from '../tool';
import { isIorCsv, parseIorCsv } from './csv';
import { isIorJson, parseIorJson } from './json';
import { IOR_RULES, iorOptions } from './lint';
import { isIorText, parseIorText } from './text';

/** IOR: bandwidth of many processes on files of their own or a shared one, started by MPI. */
export const ior: Tool = {
  id: 'ior',
  output: {
    formats: [
      { recognizes: isIorJson, parse: parseIorJson },
      { recognizes: isIorCsv, parse: parseIorCsv },
      { recognizes: (text) => isIorText(text) && !isIorJson(text), parse: parseIorText },
    ],
    complaint: /(?:^|\n)(?:Synopsis ior\b|ior ERROR: )/,
  },
  lint: {
    options: iorOptions,
    rules: IOR_RULES,
    versionedName: true,
    versionInPath: RELEASE_IN_PATH,
    place: 'o',
    access: (launched) => {
      const options = iorOptions(launched.args);
      return accessByOption(launched, options, 'o', options.has('w') || !options.has('r', 'R', 'W'));
    },
  },
};
