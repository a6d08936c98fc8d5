import { askedOf, optionOf } from '../kit/asked';
import { accessTo, wordBeginning } from '../kit/lint/access';
import { filesOperations, READ, WRITE } from '../kit/operations';
import type { Workload } from '../workload';
import { fioCommand, fioSmallFilesCommand } from './command';
import { fioFilesCommand } from './filesCommand';
import { fioCommands } from './jobFile';
import { isFioJson, parseFioJson } from './json';
import { FIO_RULES, fioOptions } from './lint';
import { FIO_DATA } from './pattern';
import { isFioText, parseFioText } from './text';
import { fioValues } from './values';

// The bytes that it counts for file operations are not used.
const files = filesOperations(['fictitious_bytes']);

/** fio: data of any compressibility, and file operations, by the processes of each client. */
export const fio: Workload = {
  id: 'fio',
  label: 'fio',
  launch: { by: 'each-client' },
  // fio(1), `directory`.
  separators: ':',
  version: { argv: ['fio', '--version'], version: /^fio-([\w.-]+)/m },
  installed: { uses: ['fio'], without: null, argv: ['fio', '--version'] },
  operations: [WRITE, READ, files.create, files.stat, files.remove],
  reports: { processes: true, machines: { silent: 'each client runs it by itself' }, bytes: true },
  asked: (command) => {
    const files = optionOf(command, '--nrfiles');
    const sizes = files === undefined ? [optionOf(command, '--size')] : [files, optionOf(command, '--filesize')];
    return askedOf(sizes, optionOf(command, '--runtime'));
  },
  values: fioValues,
  data: {
    maxTarget: FIO_DATA.maxTarget,
    ofRatio: (target) => {
      const pattern = FIO_DATA.ofRatio(target);
      return (
        pattern && {
          pattern,
          command: ({ operation, seconds, maxBytesPerProcess, processesPerClient, direct }) =>
            fioCommand({
              ...{ operation, seconds, direct, percent: pattern.percent },
              ...{ maxBytesPerJob: maxBytesPerProcess, jobs: processesPerClient },
            }),
          ofSmallFiles: (phase) => fioSmallFilesCommand({ ...phase, percent: pattern.percent }),
        }
      );
    },
    knownPattern: (id) => FIO_DATA.known(id),
  },
  files: {
    operations: { files: ['create', 'stat', 'remove'], directories: [] },
    fills: false,
    command: ({ operation, count, processesPerClient }) => fioFilesCommand(operation, count, processesPerClient),
    standsIn: {
      as: 'fio filecreate, filestat and filedelete',
      message: 'no phase that opens files, empty files only, and no MPI barrier between processes',
    },
  },
  stragglers: {
    of: 'clients',
    silence: ({ clients }) =>
      clients < 2 ? 'fio reports the processes of a client as one, and there was one client' : null,
  },
  output: {
    formats: [
      { recognizes: isFioJson, parse: parseFioJson, ofJson: true },
      { recognizes: isFioText, unless: isFioJson, parse: parseFioText },
    ],
  },
  lint: {
    options: fioOptions,
    rules: FIO_RULES,
    commandsOf: fioCommands,
    versionedName: true,
    access: (launched) => {
      const { word, prefix } = wordBeginning(launched, '--directory=', '--filename=');
      const kind = wordBeginning(launched, '--rw=', '--readwrite=').word?.value.split('=')[1] ?? 'read';
      return accessTo(launched, word, prefix, !/^(rand)?read$/.test(kind));
    },
  },
};
