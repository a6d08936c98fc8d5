/** Command lines and scripts with the faults of published ones, and variants of each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LintDocument, lintDocument, lintFile } from '../../lib/lint';

const FOLDER = join(__dirname, '../fixtures/reports');
const report = (name: string): LintDocument => lintFile(readFileSync(join(FOLDER, name), 'utf8'));
const idsOf = ({ findings }: LintDocument): string[] => findings.map(({ id }) => id);

describe('only the first operand of a launcher is the program', () => {
  test('of a script that starts rm, mkdir and lfs on directories named like a tool', () => {
    const { findings, better } = report('lint_dir_srun_rm.sh');
    expect(findings.filter(({ line }) => line !== 4)).toEqual([]);
    const text = readFileSync(join(FOLDER, 'lint_dir_srun_rm.sh'), 'utf8');
    expect((better ?? text).split('\n').slice(0, 3)).toEqual(text.split('\n').slice(0, 3));
  });

  test.each([
    'mpirun -np 4 --hostfile hosts rm -rf /fsx/mdtest',
    'sudo -u ior mkdir /fsx/fio',
    'ssh -i key dd ls /fsx/ior',
    'timeout -k 5 60 cp /fsx/fio /fsx/ior',
    'numactl -C 0 --membind=0 ls ior',
    'srun --job-name ior --output=fio hostname',
    'xargs -n 1 -P 8 rm -f fio',
    'env PATH=/opt/ior $PROGRAM ior',
    'ssh node1 "rm -rf /fsx/ior"',
    'su -c "rm -rf /fsx/ior" user',
    'sbatch --wrap="rm -rf /fsx/ior"',
    'timeout 5 "rm -rf /fsx/ior"',
  ])('of `%s`', (line) => {
    expect(lintDocument(line)).toMatchObject({ findings: [{ id: 'no-known-tool' }], better: null });
  });

  test.each([
    'srun -N 2 -n 8 --mpi pmix -c 2 ior -w -t 1m',
    'mpirun --mca btl tcp,self -x LD_LIBRARY_PATH -np 8 --map-by node /opt/ior-3.3.0/bin/ior -w -t 1m',
    'sudo -n nice -n 5 taskset -c 0-3 ior -w -t 1m',
    'ssh -o BatchMode=yes node1 timeout 60 ior -w -t 1m',
    'mpiexec -genv A b -ppn 4 -hosts a,b numactl -N 0 ior -w -t 1m',
    'ssh node1 "/opt/ior -w -t 1m -o /fsx/ior"',
    "sbatch -N 2 --wrap 'srun ior -w -t 1m'",
    'srun "/opt/my tools/ior" -w -t 1m',
  ])('which is found behind the options of `%s`', (line) => {
    expect(idsOf(lintDocument(line))).toContain('ior-missing-fsync');
  });
});

test('a program and its options in variables of the same script are checked', () => {
  expect(idsOf(report('lint_program_in_variable.sh'))).toEqual(expect.arrayContaining(['ior-missing-fsync']));
  const script = 'MPIRUN="mpirun -np 8"\nBIN=/opt/ior/bin\nSIZE=1m\n$MPIRUN $BIN/ior -w -F -t $SIZE -b 64k -o /fsx/x';
  expect(idsOf(lintDocument(script))).toEqual(expect.arrayContaining(['ior-missing-fsync', 'ior-block-not-multiple']));
});

test('the number of processes is that of #SBATCH where the launcher names none', () => {
  const { findings } = report('lint_sbatch_ntasks.sh');
  expect(findings.find(({ id }) => id === 'data-fit-in-memory')?.message).toContain('4 GiB');
});

test('options with a typographic dash are named, and mended', () => {
  const { findings, better } = report('lint_en_dash.sh');
  const message = expect.stringMatching(/–F, –w/);
  expect(findings[0]).toMatchObject({ id: 'typographic-dash', severity: 'error', message });
  expect(better).toContain(' -F -w ');
});

test('fio takes one dash', () => {
  const found = idsOf(report('lint_fio_single_dash.sh'));
  expect(found).toEqual(expect.arrayContaining(['fio-constant-data', 'fio-iodepth-without-effect']));
  expect(found).not.toContain('fio-job-file');
  const others = idsOf(lintDocument('fio -rw=write -ioengine psync -iodepth 8 -name x -size 1g'));
  expect(others).toEqual(expect.arrayContaining(['fio-iodepth-without-effect', 'fio-missing-fsync']));
});

test('an IOR script is read as the tests that it has, and left as it is', () => {
  const { findings, better } = report('lint_ior_script.ior');
  expect(better).toBeNull();
  expect(findings.map(({ id }) => id)).not.toEqual(expect.arrayContaining(['ior-missing-fsync']));
  const script = 'IOR START\napi=POSIX\nwriteFile=1\nblockSize=3m\ntransferSize=2m\nRUN\nIOR STOP\n';
  expect(lintFile(script).findings.find(({ id }) => id === 'ior-block-not-multiple')).toMatchObject({ line: 2 });
  expect(lintFile(script).better).toBeNull();
});

test('what starts dd is kept', () => {
  const { findings, better } = report('lint_xargs_dd.sh');
  expect(findings.map(({ id }) => id)).toContain('dd-zeros-compress-away');
  expect(better).toContain('xargs -P 8 -I{} fio ');
  for (const starter of ['srun -N 4 ', 'ssh node1 ', 'sudo time '])
    expect(lintDocument(`${starter}dd if=/dev/zero of=/fsx/a bs=1M count=9`).better).toContain(`${starter}fio `);
});

test('a small transfer that is asked for stays', () => {
  expect(lintDocument('mpirun -np 4 ior -w -e -C -F -i 5 -t 4k -b 16g -o /fsx/x').better ?? '-t 4k').toContain('-t 4k');
});

test('elbencho is about data if its files are large, however many there are', () => {
  const found = idsOf(report('lint_elbencho_big_files.sh'));
  expect(found).toEqual(expect.arrayContaining(['elbencho-missing-sync', 'elbencho-repeats-blocks']));
  expect(idsOf(lintDocument('elbencho -w -t 4 -n 8 -N 1000 -s 4k /fsx/a'))).not.toContain('elbencho-missing-sync');
  const twice = 'elbencho -w --direct -t 4 -s 9g --blockvarpct 100 /fsx/a; elbencho -r -t 4 -s 9g /fsx/a';
  expect(idsOf(lintDocument(twice))).toContain('elbencho-reads-cached');
});

test('a job file whose jobs read while others write says so, and one that waits does not', () => {
  const jobs = (extra: string) => `[global]\nsize=1g\ndirect=1\n[w]\nrw=write\n[r]\nrw=read\n${extra}`;
  expect(lintFile(jobs('')).findings.find(({ id }) => id === 'fio-jobs-at-once')).toMatchObject({ line: 6 });
  expect(idsOf(lintFile(jobs('stonewall\n')))).not.toContain('fio-jobs-at-once');
});

test('a read after drop_caches is not called a read from memory', () => {
  const read = 'dd if=/fsx/a of=/dev/null bs=1M';
  expect(idsOf(lintDocument(read))).toContain('dd-buffered-read');
  expect(idsOf(lintDocument(`echo 3 > /proc/sys/vm/drop_caches; ${read}`))).not.toContain('dd-buffered-read');
  expect(idsOf(lintDocument(`sysctl -w vm.drop_caches=3 && ${read}`))).not.toContain('dd-buffered-read');
});

test('a launched program that was not checked is named next to one that was', () => {
  const { findings } = lintDocument('mpirun -np 4 simulate; mpirun -np 4 ior -w -e -F -C -t 1m -b 99g -i 5 -o /fsx/x');
  expect(findings.find(({ id }) => id === 'program-not-checked')?.message).toContain('simulate');
});
