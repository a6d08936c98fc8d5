import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { printedOn } from '../docs/commands';
import { openMpiVersion } from '../support/openMpi';
import { canSlurm, clusterForTests, measuredIn, NODES, QUICK } from './cluster';

const PRINTED = printedOn('docs/your-cluster.md').filter((command) => command.startsWith('npx fsxbench '));

/** Folder of `ior-3.3.0.tar.gz` and `fio-3.37.tar.gz`, for a machine that has no way to their sources; with none, small archives take their place. */
const { FSXBENCH_SOURCES: SOURCES = '' } = process.env;
const HAS_SOURCES = ['ior-3.3.0', 'fio-3.37'].every((name) => existsSync(join(SOURCES, `${name}.tar.gz`)));

/** File of Environment Modules for login shells (assets/lab/needs.tsv: modulecmd). */
const HAS_MODULES = existsSync('/etc/profile.d/modules.sh');

(canSlurm ? describe : describe.skip)('tools of a cluster on which nobody may install any', () => {
  const { home, fsx, fsxbench, start, resultsOf, measuring, dataLeft } = clusterForTests();
  const [shared, archives, modules] = [join(home, 'fsxbench'), join(home, 'archives'), join(home, 'modules')];
  const results = ['--results', join(home, 'results')];

  /** The only command of the page with an option, as it is carried out here. */
  const printed = (option: string, ...more: string[]): string[] => {
    const [found, ...others] = PRINTED.filter((command) => command.includes(` ${option}`));
    if (found === undefined || others.length > 0) throw new Error(`the page must print one command with ${option}`);
    const words = found.replace('npx fsxbench ', '').replace('~/fsxbench', shared).replace('/fsx ', `${fsx} `);
    return [...words.replace('--nodes 16', `--nodes ${NODES}`).split(' '), ...results, ...more];
  };
  const command = (variables: Readonly<Record<string, string>>, argv: readonly string[]) =>
    start(['env', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`), ...fsxbench(), ...argv])
      .ended;

  /** An archive whose make leaves a program, in a table with an address at which nobody answers. */
  function archive(name: string, version: string, program: string): string {
    const source = join(archives, `${name}-${version}`);
    mkdirSync(source, { recursive: true });
    for (const script of ['bootstrap', 'configure']) {
      writeFileSync(
        join(source, script),
        '#!/bin/sh\nfor word; do case "$word" in --prefix=*) echo "$word" | sed "s/--prefix=/prefix = /" >config.mk;; esac; done\n',
      );
      chmodSync(join(source, script), 0o755);
    }
    writeFileSync(join(source, 'program'), program);
    chmodSync(join(source, 'program'), 0o755);
    writeFileSync(
      join(source, 'Makefile'),
      'include config.mk\ninstall:\n\tmkdir -p $(prefix)/bin\n\tcp program $(prefix)/bin/ior\n\tcp program $(prefix)/bin/mdtest\nfio:\n\tcp program fio\n',
    );
    const file = join(archives, `${name}-${version}.tar.gz`);
    execFileSync('tar', ['-C', archives, '-czf', file, `${name}-${version}`]);
    const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
    return `${name}\t${version}\t${sum}\thttp://127.0.0.1:9/${name}-${version}.tar.gz\n`;
  }

  let table: Record<string, string>;
  beforeAll(() => {
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    mkdirSync(archives);
    const lines = [
      archive('ior', '3.3.0', '#!/bin/sh\necho "IOR-3.3.0: MPI Coordinated Test of Parallel I/O"\n'),
      archive('fio', '3.37', '#!/bin/sh\nexec /usr/bin/fio "$@"\n'),
    ];
    writeFileSync(join(archives, 'tools.tsv'), lines.join(''));
    table = { FSXBENCH_TOOLS_FILE: join(archives, 'tools.tsv') };
  });

  test('without a way to the sources, each archive is named with the place to copy it to, and nothing is queued', async () => {
    const { status, output } = await command(table, printed('--build-tools'));
    expect(`${status}\n${output}`).toMatch(/^1\n/);
    for (const name of ['ior-3.3.0', 'fio-3.37'])
      expect(output).toContain(`download it elsewhere, and copy it to ${shared}/${name}.tar.gz`);
    expect(output).not.toContain('salloc');
    expect(readdirSync(shared)).toEqual([]);
  });

  test('an ordinary user has them built once in the shared directory, measures from all nodes, and leaves nothing else', async () => {
    for (const name of ['ior-3.3.0', 'fio-3.37'])
      cpSync(join(archives, `${name}.tar.gz`), join(shared, `${name}.tar.gz`));
    const ended = await command(table, printed('--build-tools', ...QUICK));
    expect(`${ended.status}\n${ended.output}`).toMatch(/^0\n/);
    expect(resultsOf(ended).manifest.tools).toMatchObject({ ior: '3.3.0', openmpi: openMpiVersion() });
    const [built = '', ...others] = readdirSync(shared).filter((name) => name.startsWith('fsxbench-tools-'));
    const scripts = readdirSync(shared).filter((name) => name.startsWith('fsxbench-client-'));
    expect([others, scripts.length]).toEqual([[], 1]);
    expect(readdirSync(shared).sort()).toEqual(['fio-3.37.tar.gz', ...scripts, built, 'ior-3.3.0.tar.gz']);
    expect(dataLeft()).toEqual([]);

    const doctor = ['doctor', '--on', fsx, '--nodes', String(NODES), '--shared', shared, '--json'];
    const { output } = await command(table, doctor);
    const { machines } = JSON.parse(output.slice(output.indexOf('\n{'), output.lastIndexOf('}') + 1));
    const bin = join(shared, built, 'bin');
    const facts = expect.objectContaining({
      programs: expect.objectContaining({ fio: join(bin, 'fio'), ior: join(bin, 'ior'), mdtest: join(bin, 'mdtest') }),
    });
    expect(machines).toEqual(['n1', 'n2'].map((name) => expect.objectContaining({ name, facts })));
  });

  (HAS_SOURCES ? test : test.skip)('with the real sources, a sweep is driven by the IOR that was built', async () => {
    for (const name of ['ior-3.3.0', 'fio-3.37'])
      cpSync(join(SOURCES, `${name}.tar.gz`), join(shared, `${name}.tar.gz`));
    const set = ['repeats=2', 'seconds=1', 'maxMiBPerNode=32', 'ranksPerClient=1', 'reads=false'];
    const more = ['--plan', 'scaling', ...set.flatMap((text) => ['--set', text])];
    const ended = await command({}, printed('--build-tools', ...more));
    expect(`${ended.status}\n${ended.output}`).toMatch(/^0\n/);
    const { plan, samples } = resultsOf(ended);
    expect(JSON.stringify(plan.steps)).toContain('"tool":"ior"');
    expect(new Set(measuredIn(samples).map(({ clients }) => clients))).toEqual(new Set([1, 2]));
    // Found the second time, whether it is asked for or not.
    const before = readdirSync(shared);
    const again = await command({}, ['run', '--on', fsx, '--nodes', '2', '--shared', shared, ...results, ...more]);
    expect(`${again.status}\n${again.output}`).toMatch(/^0\n/);
    expect(JSON.stringify(resultsOf(again).plan.steps)).toContain('"tool":"ior"');
    expect([readdirSync(shared), dataLeft()]).toEqual([before, []]);
  });

  (HAS_MODULES ? describe : describe.skip)('that has environment modules', () => {
    const programs = join(home, 'programs');
    beforeAll(() => {
      for (const folder of [programs, join(modules, 'openmpi'), join(modules, 'apps/ior')])
        mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(modules, 'openmpi/4.1.6'),
        `#%Module\nprepend-path PATH {${programs}}\nsetenv FROM_MODULE {it's "here"}\n`,
      );
      writeFileSync(join(modules, 'apps/ior/4.0.0'), '#%Module\n');
      writeFileSync(
        join(programs, 'mpirun'),
        '#!/bin/sh\n[ "$1" != --version ] || exec echo "mpirun (Open MPI) 4.1.6"\nexec /usr/bin/mpirun "$@"\n',
      );
      chmodSync(join(programs, 'mpirun'), 0o755);
    });
    const withModules = () => ({ MODULEPATH: modules });

    test('doctor says which modules have what the nodes lack, and how else to get it', async () => {
      const doctor = ['doctor', '--on', fsx, '--nodes', String(NODES), '--shared', home, '--plan', 'scaling'];
      const { status, output } = await command(withModules(), doctor);
      expect(`${status}\n${output}`).toMatch(/^0\n/);
      expect(output).toMatch(
        /^limited {2}Environment modules here have apps\/ior\/4\.0\.0: add --module NAME\. IOR can be built: --shared DIRECTORY --build-tools\.$/m,
      );
    });

    test("a module is loaded on every node, for the nodes' own tools and for the user's program", async () => {
      const set = ['--shared', home, '--set', 'repeats=1', '--'];
      const program = [
        'srun',
        '--ntasks=2',
        'sh',
        '-c',
        `[ "$FROM_MODULE" = "it's \\"here\\"" ] && mpirun --version | grep -F 4.1.6`,
        '{dir}',
      ];
      const ended = await command(withModules(), printed('--module', ...set, ...program));
      expect(`${ended.status}\n${ended.output}`).toMatch(/^0\n/);
      const { manifest, samples } = resultsOf(ended);
      expect(manifest.tools).toMatchObject({ openmpi: '4.1.6' });
      expect(measuredIn(samples).some(({ metric }) => metric === 'seconds')).toBe(true);
    });

    test('what was started with it is resumed with it, from a shell that has not', async () => {
      const program = ['srun', 'sh', '-c', 'test -n "$FROM_MODULE" && sleep 3', '{dir}'];
      const long = ['--shared', home, '--set', 'repeats=3', '--', ...program];
      const argv = ['env', `MODULEPATH=${modules}`, ...fsxbench(), ...printed('--module', ...long)];
      const first = start(argv);
      await measuring(first);
      process.kill(first.pid, 'SIGINT');
      const stopped = resultsOf(await first.ended);
      expect(stopped.status.state).toBe('interrupted');
      const again = await command(withModules(), ['run', '--resume', basename(stopped.folder), ...results]);
      expect(`${again.status}\n${again.output}`).toMatch(/^0\n/);
      expect(resultsOf(again).status).toMatchObject({ state: 'done', failedSteps: [] });
    });

    test('one that cannot be loaded is named before nodes are asked for', async () => {
      const argv = ['run', '--on', fsx, '--nodes', '2', '--shared', home, ...results, '--module', 'nope/1', ...QUICK];
      const { status, output } = await command(withModules(), argv);
      expect(`${status}\n${output}`).toMatch(/^2\n/);
      expect(output).toMatch(
        /--module: module load nope\/1 failed: ERROR: Unable to locate a modulefile for 'nope\/1'/,
      );
      expect(output).not.toContain('salloc');
    });
  });
});
