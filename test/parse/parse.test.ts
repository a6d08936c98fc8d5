import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommandFile, parseFile, parseText } from '../../lib/parse';
import { announcedRuns, countStarts } from '../../lib/workload/common/parse/command';
import { splitLines } from '../../lib/workload/common/parse/lines';
import { iorIntent } from '../../lib/workload/ior/agreement';
import { FIXTURES } from './corpus';

const IOR = readFileSync(join(FIXTURES, 'ior330_np1.out'), 'utf8');
const figures = (text: string) => parseText('x.out', text).samples;

describe('the command beside an output', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parse-'));
  });
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);

  test('its exit status makes a run invalid', () => {
    put('a.out', IOR);
    put('a.cmd', 'command: mpirun -np 1 ior\nexit_status: 3\n');
    expect(parseFile(join(folder, 'a.out'))).toMatchObject({ valid: false, problems: ['exit_status_3'] });
  });

  test('is found for a name with dots, as runs have them', () => {
    put('1-c1.65-write.out', IOR);
    put('1-c1.65-write.cmd', 'exit_status: 7\n');
    put('1-c1.cmd', 'exit_status: 1\n');
    expect(parseFile(join(folder, '1-c1.65-write.out')).problems).toEqual(['exit_status_7']);
  });

  test.each([
    ['ior330_json_file_i3', '.summary.json'],
    ['ior400_default_file_i3', '.summary.txt'],
    ['fio_seqwrite_file', '.json'],
  ])('%s.out, whose figures its tool wrote elsewhere, has them from there', (name, ending) => {
    const side = join(FIXTURES, `${name}${ending}`);
    const log = join(FIXTURES, `${name}.out`);
    expect(parseFile(log)).toEqual({ ...parseFile(side), file: log, figuresFrom: side });
    expect(parseFile(log)).toMatchObject({ complete: true, valid: true });
    expect(parseFile(log).summary.length).toBeGreaterThan(0);
  });

  test('a log without a run stays so beside a file that is no result', () => {
    writeFileSync(join(folder, 'b.out'), 'mpirun was unable to launch\n');
    writeFileSync(join(folder, 'b.json'), '{}\n');
    expect(parseFile(join(folder, 'b.out'))).toMatchObject({ problems: ['no_run_header'] });
    expect(parseFile(join(folder, 'b.out'))).not.toHaveProperty('figuresFrom');
  });

  test('counts for a side file of the tool too, and so does what the tool said', () => {
    copyFileSync(join(FIXTURES, 'ior400_enospc_json.summary.json'), join(folder, 'a.json'));
    const failed = "ior: aiori-POSIX.c:769: POSIX_Xfer: Assertion `rc >= 0' failed.";
    put('a.out', `${failed}\nWARNING: write(18) failed No space left on device\n`);
    put('a.cmd', 'exit_status: 134\n');
    const problems = ['exit_status_134', 'no_space', 'json_invalid'];
    expect(parseFile(join(folder, 'a.json')).problems).toEqual(expect.arrayContaining(problems));
  });

  test('is that of both files of a run', () => {
    put('a.summary.json', readFileSync(join(FIXTURES, 'ior330_json_file_i3.summary.json'), 'utf8'));
    put('a.cmd', 'exit_status: 5\n');
    expect(parseFile(join(folder, 'a.summary.json')).problems).toContain('exit_status_5');
  });

  test('is not needed', () => {
    put('a.out', IOR);
    expect(parseFile(join(folder, 'a.out'))).toMatchObject({ valid: true, complete: true, tool: 'ior' });
  });

  test('a file that is not there is an error of the caller', () => {
    expect(() => parseFile(join(folder, 'none.out'))).toThrow('ENOENT');
  });
});

test('a command file keeps the lines of a here-document with its command', () => {
  const read = { command: 'cat <<E\nIOR START\nE', exitStatus: -9, tool: 'ior' };
  expect(parseCommandFile('command: cat <<E\nIOR START\nE\ntool: ior\nexit_status: -9\n')).toEqual(read);
});

test.each([
  ['python3 /opt/smallfile/smallfile_cli.py --top /fsx', 1],
  ['smallfile_cli.py --operation create; smallfile_cli.py --operation read', 2],
  ['for o in create read stat; do python3 smallfile_cli.py --operation $o; done', 3],
  ['smallfile_cli.py -h\nfor o in create read\ndo smallfile_cli.py --operation $o; done; smallfile_cli.py -h', 4],
  ['for o in a b; do smallfile_cli.py a; done; for o in c d e; do smallfile_cli.py $o; done', 5],
  ['for o in $OPERATIONS; do smallfile_cli.py --operation $o; done', null],
  ['for n in 1 2; do for o in a b; do smallfile_cli.py $o; done; done', null],
  ['while true; do smallfile_cli.py --top /fsx; done', null],
  ['echo create read | xargs -n 1 smallfile_cli.py --operation', null],
  [null, null],
])('%s starts smallfile %p times', (command, count) => {
  expect(countStarts(command, 'smallfile_cli\\.py\\s')).toBe(count);
});

test.each([
  ['/opt/bin/elbencho -w /fsx', 'elbencho'],
  ['python3 /opt/smallfile/smallfile_cli.py --top /fsx', 'smallfile'],
  ['ls /fsx/smallfile', null],
])('%s is a command of %s', (command, tool) => {
  expect(parseCommandFile(`command: ${command}\n`).tool).toBe(tool);
});

test.each([
  ['# noise\n\ncommand: ior -w\r\n\r\nexit_status: 0\r\n', { command: 'ior -w', exitStatus: 0, tool: 'ior' }],
  ['command:   dd if=a  \nexit_status:  1 \ntool: bash \n', { command: 'dd if=a', exitStatus: 1, tool: 'dd' }],
  ['command: run.sh\ntool: \tfio \n', { command: 'run.sh', exitStatus: null, tool: 'fio' }],
  ['command:\nexit_status: 1 of 2\n', { command: null, exitStatus: null, tool: null }],
  ['command: ior\nexit_status: x1\n', { command: 'ior', exitStatus: null, tool: 'ior' }],
  ['Command: ior\n command: ior\n', { command: null, exitStatus: null, tool: null }],
  ['command: ls\ntool: nobody\n', { command: 'ls', exitStatus: null, tool: null }],
  ['\0\0 what\n', { command: null, exitStatus: null, tool: null }],
])('a command file %j is read', (text, want) => {
  expect(parseCommandFile(text)).toEqual(want);
});

test.each([
  ['ior ERROR: open64 failed\n', 'ior'],
  ['Synopsis mdtest\n', 'mdtest'],
  ['mpirun: warning\nmdtest ERROR: no room\nior ERROR: no room\n', 'mdtest'],
  ["Can't find env LST_SESSION\n", 'lst'],
  ['command not found\n', 'unknown'],
])('an output without figures, %j, is whose complaint comes first: %s', (text, tool) => {
  expect(parseText('x.out', text)).toMatchObject({ tool, complete: false, valid: false, problems: ['no_run_header'] });
});

test.each(['', ' \n\n'])('%j is no output', (text) => {
  expect(parseText('x.out', text)).toMatchObject({ tool: 'unknown', problems: ['no_output'], samples: [] });
});

test('beside an output the command of another program says how it ended, and not what it was', () => {
  const of = (tool: string) => ({ command: `${tool} -x`, exitStatus: 3, tool });
  const sizes = (tool: string) => parseText('x.du.txt', '4202496\tf\n', of(tool));
  expect(sizes('ior')).toMatchObject({ tool: 'du', command: null, problems: ['exit_status_3'] });
  expect(sizes('du')).toMatchObject({ tool: 'du', command: 'du -x' });
  expect(parseText('x.out', '', of('ior'))).toMatchObject({ tool: 'ior', command: 'ior -x' });
});

test.each([
  ['mpirun --tag-output', (line: string) => `[1,0]<stdout>:${line}`],
  ['mpirun --timestamp-output', (line: string) => `Sat Nov 21 05:44:02 2026<stdout>:${line}`],
  ['both', (line: string) => `Sat Nov 21 05:44:02 2026[1,0]<stdout>:${line}`],
  ['Open MPI 5', (line: string) => `[prterun-ip-172-31-14-163-5342@1,0]<stdout>: ${line}`],
  ['srun --label', (line: string) => ` 0: ${line}`],
  ['Intel MPI -l', (line: string) => `[0] ${line}`],
  ['a terminal', (line: string) => `${line}\r`],
  ['a terminal with colours', (line: string) => `\u001b[1;32m${line}\u001b[0m\r`],
])('lines that went through %s give the same figures', (_, change) => {
  expect(figures(IOR.split('\n').map(change).join('\n'))).toEqual(figures(IOR));
});

test.each([
  ...['md330_np1.out', 'dd_loops_xfs.out', 'fio_randread.out', 'elbencho_files.out', 'elbencho_files.csv'],
  ...['elbencho_enospc.out', 'smallfile_ops.out', 'smallfile_partial.out', 'smallfile_ops.1.json'],
])('%s is the same from a terminal with colours', (name) => {
  const text = readFileSync(join(FIXTURES, name), 'utf8');
  const coloured = text.replace(/^(.*)$/gm, '\u001b[1m$1\u001b[0m\r');
  expect(parseText(name, coloured)).toEqual(parseText(name, text));
});

test('messages of srun stand between the labelled lines of its tasks', () => {
  const labelled = IOR.replace(/^/gm, ' 0: ').replace(/(?:.*\n){3}/, '$&srun: job 5 has been allocated resources\n');
  expect(figures(labelled)).toEqual(figures(IOR));
});

test('a job of fio that is named by a number is no label', () => {
  const text = readFileSync(join(FIXTURES, 'fio_seqwrite_normal.out'), 'utf8');
  const named = text.replaceAll(/^\w+: \(g(?=roupid)?/gm, '0: (g');
  expect(named).toMatch(/^0: \(/m);
  expect(figures(named)).toEqual(figures(text).map((figure) => ({ ...figure, test: '0' })));
});

test.each(['[1,0]<stdout>:', '0: '])('JSON with %s before each line is read', (prefix) => {
  const json = readFileSync(join(FIXTURES, 'ior400_json_stdout_i3.out'), 'utf8');
  const tagged = parseText('x.out', json.replace(/^/gm, prefix));
  expect(tagged).toMatchObject({ complete: true, valid: true, problems: [] });
  expect(tagged.samples).toEqual(figures(json));
});

test('a row that another rank tore is a missing iteration, not a figure', () => {
  const torn = IOR.replace(/^write .*$/m, (row) => `${row.slice(0, 20)}[host:1] noise`);
  const document = parseText('x.out', torn);
  expect(document).toMatchObject({ complete: false, valid: false, problems: ['missing_iterations'] });
  expect(document.samples.filter(({ operation }) => operation === 'write')).toEqual([]);
});

test.each(['ior330_np1.out', 'md400_aws_4r.out', 'fio_randread.out', 'ior400_json_stdout_i1.out'])(
  '%s is complete without its last line end too',
  (name) => {
    const whole = readFileSync(join(FIXTURES, name), 'utf8');
    expect(whole.trim()).not.toBe(whole);
    expect(parseText(name, whole.trim())).toEqual(parseText(name, whole));
  },
);

test('of two tools in one output both must be complete', () => {
  const ior = readFileSync(join(FIXTURES, '..', 'reports', 'ior_indented.out'), 'utf8').replace(/^ {4}/gm, '');
  const dd = '1+0 records in\n1+0 records out\n512 bytes copied, 0.000125 s, 4.1 MB/s\n';
  expect(parseText('x.out', ior)).toMatchObject({ complete: true, valid: true });
  // Nothing says whether dd was to copy more.
  for (const text of [dd + ior, ior + dd])
    expect(parseText('x.out', text)).toMatchObject({ complete: false, valid: true });
});

test('rows without a banner are figures of a run that is not complete', () => {
  const headless = IOR.slice(IOR.indexOf('write '));
  const document = parseText('x.out', `${headless}\n${IOR}`);
  expect(document).toMatchObject({ complete: false, valid: false });
  expect(document.problems).toContain('no_run_header');
  expect(new Set(document.samples.map(({ test }) => test))).toEqual(new Set([0, 1]));
});

test('a line that overwrote another is read as a terminal shows it', () => {
  expect(splitLines('10 %\r20 %\r\nrest').lines).toEqual(['20 %']);
  expect(splitLines('10 %\r20 %\r\nrest').tail).toBe('rest');
});

test('the log of a tool whose results went to a file names the way', () => {
  const command = { command: 'mpirun ior -O summaryFile=/tmp/summary.json', exitStatus: 0, tool: 'ior' };
  const document = parseText('x.out', 'Writing output to /tmp/summary.json\n', command);
  expect(document).toMatchObject({ tool: 'ior', complete: false, valid: false, problems: ['no_run_header'] });
  expect(document.incompleteReason).toContain('the file that the output names');
});

test.each([
  ['ior -w -o f', true, false, false],
  ['ior -r -o f', false, true, false],
  ['ior -o f', true, true, false],
  ['ior -w -e -o f', true, false, true],
  ['ior --posix.odirect -w -o f', true, false, true],
  ['ior -w -o /fsx/-e', true, false, false],
])('%s writes: %j, reads: %j, syncs: %j', (command, writes, reads, synced) => {
  expect(iorIntent(command)).toMatchObject({ writes, reads, synced });
});

test.each([
  ['ior -i 3; ior -i 4', 2],
  ['mkdir /fsx/ior /b; mpirun /opt/bin/ior -w', 1],
  ['for n in 1 2; do ior -w; done', 2],
  ['for n in $(seq 2); do ior -w; done', 1],
  ['for n in 1 2; do ior -w > out.$n 2>&1; done', 1],
  ['for n in 1 2; do ior -w 2>&1 | tee "$n.out"; done', 1],
  ['for n in 1 2; do ior -w -o /fsx/$n 2>&1 | tee -a all.out; done', 2],
  [null, 1],
])('%s announces %d runs', (command, runs) => {
  expect(announcedRuns(command, 'ior')).toBe(runs);
});
