import { accessTo, wordBeginning } from '../kit/lint/access';
import type { Tool } from '../tool';
import { isFioJson, parseFioJson } from './json';
import { FIO_RULES, fioOptions } from './lint';
import { isFioText, parseFioText } from './text';

/** fio: data of any compressibility, and operations on files, by the processes of one client. */
export const fio: Tool = {
  id: 'fio',
  output: {
    formats: [
      { recognizes: isFioJson, parse: parseFioJson },
      { recognizes: (text) => isFioText(text) && !isFioJson(text), parse: parseFioText },
    ],
  },
  lint: {
    options: fioOptions,
    rules: FIO_RULES,
    versionedName: true,
    access: (launched) => {
      const { word, prefix } = wordBeginning(launched, '--directory=', '--filename=');
      const kind = wordBeginning(launched, '--rw=', '--readwrite=').word?.value.split('=')[1] ?? 'read';
      return accessTo(launched, word, prefix, !/^(rand)?read$/.test(kind));
    },
  },
};
