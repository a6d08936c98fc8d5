import { readOptions } from '../kit/lint/options';
import type { Tool } from '../tool';
import { constantData } from './lint';

/** xdd, as used in studies: only its commands are linted. */
export const xdd: Tool = {
  id: 'xdd',
  lint: { options: (words) => readOptions(words, ''), rules: [constantData], versionedName: true },
};
