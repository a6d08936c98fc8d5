import type { RunSummary } from '../analysis/summary';
import { plain, ratio } from '../kit/format/units';
import { gridFromZero, lowerAxis, valueAxis } from '../kit/page/drawing';
import { kneeOf } from '../storage/kit/binding';
import { type Chart, line } from './blocks';
import { armDots } from './marks';

/** Write throughput against the measured ratio, over what is documented; `null` for a run that has not both. */
export function kneeChart({ analysis, arms, place }: RunSummary, id: string): Chart | null {
  const written = analysis.limits.filter(
    ({ operation, measuredMBps }) => operation === 'write' && measuredMBps !== null,
  );
  const compressed = written.find(({ ratio: reached, limits }) => reached !== null && limits.length > 0);
  if (compressed === undefined) return null;
  const knee = kneeOf(compressed.limits);
  const limit = (name: string) => compressed.limits.find((one) => one.name === name);
  const [network, disk] = [limit('server_network'), limit('disk')];
  if (knee === null || network === undefined || disk === undefined) return null;
  const points = written.map(({ arm, ratio: reached, measuredMBps }) => ({
    x: reached ?? 1,
    y: measuredMBps as number,
    arm,
    title: `${arm}, ${ratio(reached ?? 1)}:1: ${plain(measuredMBps)} MB/s`,
  }));
  const end = Math.max(knee * 1.25, ...points.map(({ x }) => x)) + 0.2;
  const ceiling = (net: number, perRatio: number) =>
    [1, Math.max(1, Math.min(net / perRatio, end)), end].map((x) => ({ x, y: Math.min(net, perRatio * x) }));
  const [ceilingIs, held, said, dashed] =
    place === 'model'
      ? ['what the scale model held', 'the ceiling that the scale model held', 'Held', '']
      : ['what is documented', 'the documented ceiling', 'Documented', '; dashed, the same in a burst'];
  return {
    id,
    caption: line`${{ strong: 'Write throughput' }} against the measured ratio. ${arms.map(({ name }) => [{ arm: name }, ' '])} The line is ${ceilingIs}: disk × ratio, up to the network at ${ratio(knee)}:1, where compressing more stops to help${dashed}.`,
    title: `Write throughput against compression, with ${held}`,
    description: `${said}: ${plain(disk.baselineMBps)} MB/s × ratio up to ${plain(network.baselineMBps)} MB/s at ${ratio(knee)}:1. ${points.map(({ title }) => `${title}.`).join(' ')}`,
    options: ({ plot, look }) => {
      return {
        x: { domain: [0.9, end], ...lowerAxis('measured ratio (x:1)') },
        y: { zero: true, nice: true, grid: true, ...valueAxis('MB/s', 5) },
        marks: [
          ...gridFromZero({ plot }),
          plot.line(ceiling(network.burstMBps, disk.burstMBps), {
            x: 'x',
            y: 'y',
            stroke: 'var(--axis)',
            strokeDasharray: '4 3',
          }),
          plot.line(ceiling(network.baselineMBps, disk.baselineMBps), {
            x: 'x',
            y: 'y',
            stroke: 'var(--axis)',
            strokeWidth: 1.6,
          }),
          armDots({ plot, look }, points, 4),
        ],
      };
    },
  };
}
