import type { ScaleModel } from '../../schema/model';

/** `disk 28.8 MB/s (measured 28.7), network 108.0 MB/s (measured 107.2)`: what is written passes both. Creations where they are held. */
export function describeThrottled({ held, metadata }: ScaleModel): string {
  const words = { disk_write: 'disk', network_write: 'network', client_write: 'each client' } as const;
  const rates = Object.entries(words).flatMap(([name, word]) => {
    const figure = held.find((each) => each.name === name);
    return figure === undefined
      ? []
      : [`${word} ${figure.setMBps.toFixed(1)} MB/s (measured ${figure.measuredMBps.toFixed(1)})`];
  });
  const creates =
    metadata &&
    `creations ${metadata.setCreatesPerSecond.toFixed(0)}/s (measured ${metadata.measuredCreatesPerSecond.toFixed(1)})`;
  return [...rates, ...(creates ? [creates] : [])].join(', ');
}
