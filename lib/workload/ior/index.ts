import { askedOf, optionOf } from '../common/asked';
import { IOR_RELEASE, iorVersion, RELEASE_IN_PATH } from '../common/iorRelease';
import { accessByOption } from '../common/lint/access';
import { READ, WRITE } from '../common/operations';
import type { Workload } from '../workload';
import { iorCommand } from './command';
import { isIorCsv, parseIorCsv } from './csv';
import { isIorJson, parseIorJson } from './json';
import { IOR_RULES } from './lint';
import { iorOptions } from './lint/common';
import { iorScriptCommands } from './lint/script';
import { IOR_MAX_TARGET, iorPattern, knownIorPattern } from './pattern';
import { parseIorText } from './text';
import { isIorText } from './textReader';
import { iorValues, waitsForAll } from './values';

/** IOR: bandwidth of many processes on separate files or a shared one, started by MPI. */
export const ior: Workload = {
  id: 'ior',
  label: 'IOR',
  // Several file names have @ between them: FILENAME_DELIMITER of ParseFileName() (github.com/hpc/ior).
  launch: { by: 'mpi', separators: '@' },
  // IOR has no --version, but its smallest run prints it: one process writes one 256 KiB block to an empty folder.
  version: { argv: ['ior', '-w', '-o', 'version'], version: /^IOR-([\w.+]+): /, release: IOR_RELEASE, builds: true },
  installed: {
    uses: ['mpirun'],
    without: 'fio writes all targets; put ior 3.3.0 on the PATH to use IOR’s own patterns',
  },
  operations: [WRITE, READ],
  reports: {
    processes: true,
    machines: true,
    bytes: true,
    stragglers: {
      of: 'processes',
      silence: ({ command }) =>
        waitsForAll(command) ? 'with -g all processes of IOR wait for the last one before its clock stops' : null,
    },
  },
  values: iorValues,
  data: {
    maxTarget: IOR_MAX_TARGET,
    ofRatio: (target, release) => {
      const version = iorVersion(release);
      const pattern = version === undefined ? null : iorPattern(version, target);
      return pattern === null ? null : { pattern, command: (phase) => iorCommand(phase, pattern) };
    },
    knownPattern: knownIorPattern,
    // -T ends a test between two iterations, and -D one iteration.
    asked: (command) =>
      command.includes('-T')
        ? null
        : askedOf([optionOf(command, '-b'), optionOf(command, '-s') ?? '1'], optionOf(command, '-D')),
  },
  output: {
    formats: [
      { recognizes: isIorJson, parse: parseIorJson, ofJson: true },
      { recognizes: isIorCsv, parse: parseIorCsv },
      { recognizes: isIorText, unless: isIorJson, parse: parseIorText },
    ],
    complaint: /(?:^|\n)(?:Synopsis ior\b|ior ERROR: )/,
  },
  lint: {
    options: iorOptions,
    rules: IOR_RULES,
    commandsOf: iorScriptCommands,
    isParsedOnly: true,
    versionedName: true,
    versionInPath: RELEASE_IN_PATH,
    place: 'o',
    access: (launched) => {
      const options = iorOptions(launched.args);
      return accessByOption(launched, options, 'o', options.has('w') || !options.has('r', 'R', 'W'));
    },
  },
};
