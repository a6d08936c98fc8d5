import { renderHtml, renderMarkdown, summariseRun } from '../../lib/report';
import type { RunRecord } from '../../lib/store/record';
import { BASELINE_MBPS, syntheticRun } from './syntheticRun';

/** Documented rates of the disks of the example's arms, which they carry in it. */
const DISKS_MBPS = 2880;

const LABEL = 'Example with invented figures';

/** A run at the published scale, with nothing wrong with it: five repeats, long phases, a fleet of clients. */
function exampleRun(): RunRecord {
  const record = structuredClone(syntheticRun({ repeats: 5, variation: 0.02, seed: 7 }));
  const { plan, manifest } = record;
  if (plan === null || manifest === null) throw new Error('the run has no plan or no manifest');
  const scaled = (value: number | null): number | null => value && (value * 0.97 * DISKS_MBPS) / BASELINE_MBPS;
  return {
    ...record,
    plan: { ...plan, issues: [] },
    manifest: {
      ...manifest,
      notices: [
        'This report is an example. Its figures were invented by a program so that every section has something to show: nobody measured them, and they say nothing of Amazon FSx.',
      ],
    },
    samples: record.samples.map((sample) => ({
      ...sample,
      raw: null,
      ...(sample.metric === 'throughput' || sample.metric === 'bytes' ? { value: scaled(sample.value) } : {}),
    })),
    metrics: record.metrics.map((file) => ({
      ...file,
      series: file.series.map((series) => ({
        ...series,
        points: /^Data(Write|Read)Bytes$/.test(series.metric)
          ? series.points.map(([at, value]) => [at, scaled(value) ?? 0] as const)
          : series.points,
      })),
    })),
    environment: record.environment.map(({ node, facts }) => ({ node, facts: { ...facts, tuning: undefined } })),
    // No raw output is kept next to the example.
    raw: [],
  };
}

/** The example in the forms that docs/example-report/ keeps, by file name, and how valid the run is. */
export async function exampleReport(): Promise<{ validity: string; files: Readonly<Record<string, string>> }> {
  const run = summariseRun(exampleRun());
  const page = await renderHtml(run);
  return {
    validity: run.validity,
    files: {
      'index.html': page.replace(/<(title|h1)>/g, `<$1>${LABEL}: `),
      'report.md': renderMarkdown(run).replace(/^# /, `# ${LABEL}: `),
    },
  };
}
