import { askedOf, optionOf } from '../kit/asked';
import { filesOperations, READ, WRITE } from '../kit/operations';
import type { Workload } from '../workload';
import { elbenchoCommand, elbenchoDataCommand } from './command';
import { isElbenchoCsv, parseElbenchoCsv } from './csv';
import { ELBENCHO_RULES, elbenchoOptions } from './lint';
import { ELBENCHO_DATA } from './pattern';
import { isElbencho, parseElbencho } from './text';
import { elbenchoValues } from './values';

/** elbencho: data and file operations, by the threads of each client. */
export const elbencho: Workload = {
  id: 'elbencho',
  label: 'elbencho',
  launch: { by: 'each-client' },
  // Several paths have commas or @ between them, and numbers in square brackets stand for several (elbencho --help-all).
  separators: ',@[]',
  // From 2.1 on; before, its data were others (pattern.ts).
  version: { argv: ['elbencho', '--version'], version: /Version: *((?:2\.[1-9]|[3-9]\.|\d{2})[\w.-]*)/ },
  operations: [WRITE, READ, ...Object.values(filesOperations([]))],
  reports: {
    processes: { silent: 'its console output names no threads' },
    machines: { silent: 'each client runs it by itself' },
    bytes: true,
  },
  asked: (command) => askedOf([optionOf(command, '-s'), optionOf(command, '-N')], optionOf(command, '--timelimit')),
  values: elbenchoValues,
  data: {
    maxTarget: ELBENCHO_DATA.maxTarget,
    ofRatio: (target) => {
      const pattern = ELBENCHO_DATA.ofRatio(target);
      return pattern && { pattern, command: (phase) => elbenchoDataCommand(phase, pattern.percent) };
    },
    knownPattern: (id) => ELBENCHO_DATA.known(id),
    readsCutFiles: false,
  },
  files: {
    operations: { files: ['create', 'stat', 'read', 'remove'], directories: [] },
    fills: true,
    command: elbenchoCommand,
    standsIn: { as: 'elbencho', message: 'the clients do not wait for each other' },
  },
  stragglers: {
    of: 'clients',
    silence: ({ clients }) => (clients < 2 ? 'only clients are told apart, and there was one client' : null),
  },
  lint: { options: elbenchoOptions, rules: ELBENCHO_RULES, versionedName: true },
  output: {
    formats: [
      { recognizes: isElbencho, parse: parseElbencho },
      { recognizes: isElbenchoCsv, parse: parseElbenchoCsv },
    ],
  },
};
