import { casesOf, describeCases, type Expected } from './corpus';

const OPERATION_OF: Readonly<Record<string, string>> = {
  'Directory creation': 'dir_create',
  'Directory stat': 'dir_stat',
  'Directory rename': 'dir_rename',
  'Directory removal': 'dir_remove',
  'File creation': 'file_create',
  'File stat': 'file_stat',
  'File read': 'file_read',
  'File removal': 'file_remove',
  'File create (stonewall)': 'file_create_stonewall',
  'Tree creation': 'tree_create',
  'Tree removal': 'tree_remove',
};

const cases = [...casesOf('mdtest-text'), ...casesOf('ior-text').filter(({ id }) => id.startsWith('joblog'))];

describeCases(cases, ({ document, expected }) => {
  const runs = (expected.runs as Expected[]).filter(({ tool }) => tool === 'mdtest');
  const blocks = runs.flatMap((run) => run.blocks.map((block: Expected) => ({ ...block, run })));
  const isFour = ({ version }: Expected) => Number(version.split('.')[0]) >= 4;

  test('gives every line of every SUMMARY as printed, and no other', () => {
    const number = (value: unknown) => (typeof value === 'number' ? value + 0 : null);
    const want = blocks.flatMap((block, index) =>
      block.summaries.flatMap(({ kind, rows }: Expected) =>
        Object.entries<Expected>(rows).flatMap(([label, row]) => {
          const metric = kind === 'rate' ? 'operations' : 'seconds';
          const common = { operation: OPERATION_OF[label], test: index };
          const [max, min, mean, stddev] = [row.max, row.min, row.mean, row.stddev].map(number);
          const line = { ...common, metric, max, min, mean, stddev };
          if (row.rank_max === undefined) return [line];
          const ranks = { max: row.rank_max, min: row.rank_min, mean: row.rank_mean, stddev: null };
          return [line, { ...common, metric: `rank_${metric}`, ...ranks }];
        }),
      ),
    );
    const got = document.summary.filter(({ basis }) => basis !== 'samples');
    expect(got).toEqual(want.map(expect.objectContaining));
  });

  test('gives every figure of the iteration lines, aggregate or rank 0 by the version', () => {
    const want = blocks.flatMap((block, index) =>
      block.iterations.flatMap(({ iteration, phases }: Expected) =>
        Object.entries<[number, number]>(phases).flatMap(([label, [seconds, rate]]) => {
          const common = { operation: OPERATION_OF[label], test: index, iteration: iteration - 1 };
          const alone = label.startsWith('Tree');
          return [
            { ...common, metric: alone || !isFour(block.run) ? 'operations' : 'rank0_operations', value: rate },
            { ...common, metric: alone ? 'seconds' : 'rank0_seconds', value: seconds },
          ];
        }),
      ),
    );
    // From 4.0.0 a SUMMARY of one iteration is that iteration's aggregate: checked below.
    const got = document.samples
      .filter(({ operation }) => Object.values(OPERATION_OF).includes(operation))
      .filter(
        (sample) => !blocks.some((block, index) => index === sample.test && isSingle(block) && !printed(block, sample)),
      )
      .map(({ operation, test, iteration, metric, value }) => ({ operation, test, iteration, metric, value }));
    const key = (row: Expected) => `${row.test} ${row.iteration} ${row.operation} ${row.metric}`;
    const sorted = (rows: Expected[]) => [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
    expect(sorted(got)).toEqual(sorted(want));
  });

  test('takes the SUMMARY of a single iteration for its rate, where it is one', () => {
    for (const [index, block] of blocks.entries()) {
      if (!isSingle(block)) continue;
      for (const { kind, rows } of block.summaries) {
        for (const [label, row] of Object.entries<Expected>(rows)) {
          if (!(row.mean > 0)) continue;
          const metric = kind === 'rate' ? 'operations' : 'seconds';
          const sample = document.samples.find(
            (one) => one.test === index && one.operation === OPERATION_OF[label] && one.metric === metric,
          );
          expect(sample?.value).toBe(row.mean);
        }
      }
    }
  });

  test('tells what each block was', () => {
    expect(document.tests.filter(({ tool }) => tool === 'mdtest')).toEqual(
      blocks.map(({ run, tasks, items }) => {
        const { version, command_line: command, started: began, finished, nodes } = run;
        return expect.objectContaining({ version, command, began, finished, tasks, nodes, items });
      }),
    );
  });

  function isSingle(block: Expected): boolean {
    return isFour(block.run) && block.summaries.some(({ iterations }: Expected) => iterations === 1);
  }

  function printed(block: Expected, { metric, operation }: Expected): boolean {
    const labels = block.iterations.flatMap(({ phases }: Expected) => Object.keys(phases));
    return (
      metric.startsWith('rank0') ||
      labels.some((label: string) => OPERATION_OF[label] === operation && label.startsWith('Tree'))
    );
  }
});
