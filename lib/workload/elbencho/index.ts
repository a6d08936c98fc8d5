import type { Tool } from '../tool';
import { isElbenchoCsv, parseElbenchoCsv } from './csv';
import { isElbencho, parseElbencho } from './text';

/** elbencho: data and operations on files, by the threads of one client. */
export const elbencho: Tool = {
  id: 'elbencho',
  output: {
    formats: [
      { recognizes: isElbencho, parse: parseElbencho },
      { recognizes: isElbenchoCsv, parse: parseElbenchoCsv },
    ],
  },
};
