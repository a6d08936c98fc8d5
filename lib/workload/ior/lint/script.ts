import { quote } from '../../common/lint/shell';
import type { FileCommand } from '../../tool';

/** Parameters of IOR's scripts as options of its command line (IOR 4.0.0, doc/USER_GUIDE and src/parse_options.c). */
const FLAGS: Readonly<Record<string, string>> = {
  writefile: '-w',
  readfile: '-r',
  checkwrite: '-W',
  checkread: '-R',
  fileperproc: '-F',
  fsync: '-e',
  fsyncperwrite: '-Y',
  keepfile: '-k',
  keepfilewitherror: '-K',
  reordertasks: '-C',
  reordertasksconstant: '-C',
  reordertasksrandom: '-Z',
  useexistingtestfile: '-E',
  collective: '-c',
  uniquedir: '-u',
  randomoffset: '-z',
  intratestbarriers: '-g',
  multifile: '-m',
  useo_direct: '--posix.odirect',
};
const VALUES: Readonly<Record<string, string>> = {
  api: '-a',
  blocksize: '-b',
  transfersize: '-t',
  segmentcount: '-s',
  repetitions: '-i',
  testfile: '-o',
  numtasks: '-N',
  deadlineforstonewalling: '-D',
  maxtimeduration: '-T',
  intertestdelay: '-d',
  taskpernodeoffset: '-Q',
  setalignment: '-J',
  datapackettype: '-l',
};

/**
 * The tests of an IOR script (`ior -f SCRIPT`) as commands; `null` for another text. A parameter holds for all later tests; `RUN` ends one.
 */
export function iorScriptCommands(text: string): FileCommand[] | null {
  const lines = text.split('\n').map((line) => line.replace(/#.*$/, '').trim());
  const start = lines.findIndex((line) => line !== '');
  if (!/^IOR START$/i.test(lines[start] ?? '')) return null;
  const options = new Map<string, string | null>();
  const commands: FileCommand[] = [];
  let [begin, isOpen] = [start + 2, false];
  const end = (): void => {
    if (isOpen)
      commands.push({
        command: ['ior', ...[...options].flatMap(([name, value]) => (value === null ? [name] : [name, value]))]
          .map(quote)
          .join(' '),
        line: begin,
      });
    isOpen = false;
  };
  for (const [index, line] of lines.entries()) {
    if (/^(?:RUN|IOR STOP)$/i.test(line)) end();
    const [, key, value] = /^(\w+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    if (!isOpen) begin = index + 1;
    isOpen = true;
    const name = key.toLowerCase();
    const flag = FLAGS[name];
    if (flag !== undefined) {
      if (value === '0') options.delete(flag);
      else options.set(flag, null);
    } else options.set(VALUES[name] ?? '-O', VALUES[name] === undefined ? `${key}=${value}` : value);
  }
  end();
  return commands;
}
