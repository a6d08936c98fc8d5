import { readOptions } from '../kit/lint/options';
import type { Tool } from '../tool';
import { constantData } from './lint';

/** xdd, as studies used it: only its commands are looked at. */
export const xdd: Tool = {
  id: 'xdd',
  lint: { options: (words) => readOptions(words, ''), rules: [constantData], versionedName: true },
};
