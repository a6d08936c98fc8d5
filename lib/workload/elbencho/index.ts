import type { Tool } from '../tool';
import { isElbenchoCsv, parseElbenchoCsv } from './csv';
import { ELBENCHO_RULES, elbenchoOptions } from './lint';
import { isElbencho, parseElbencho } from './text';

/** elbencho: its output is parsed and its commands are linted. */
export const elbencho: Tool = {
  id: 'elbencho',
  lint: { options: elbenchoOptions, rules: ELBENCHO_RULES, versionedName: true },
  output: {
    formats: [
      { recognizes: isElbencho, parse: parseElbencho },
      { recognizes: isElbenchoCsv, parse: parseElbenchoCsv },
    ],
  },
};
