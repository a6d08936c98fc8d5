import { listed } from '../../common/format/strings';
import { bytes, counted, plain } from '../../common/format/units';
import { keyOf } from '../../common/keyOf';
import { armNamed } from '../../schema/plan';
import { inapplicable, judged, place, type RuleFinding, unchecked, type ValidityRule } from './rule';

/** Data that fit into memory can be read from it. */
export const dataFitInMemory: ValidityRule = {
  id: 'data-fit-in-memory',
  checks: 'data larger than the memory of clients and servers together',
  check({ arms, clients, elsewhere, measured }) {
    const unable = elsewhere?.memory ?? null;
    if (unable !== null) return unchecked(unable);
    const { memoryBytes } = clients;
    if (memoryBytes === null) return unchecked('the memory of the clients is not known');
    const written = measured.filter(({ operation, bytes: moved }) => operation === 'write' && moved !== null);
    if (written.length === 0) return inapplicable('no write of a known amount');
    if (!measured.some(({ operation }) => operation === 'read')) return inapplicable('nothing was read back');
    const groups = [...Map.groupBy(written, ({ arm, compressibility }) => keyOf(arm, compressibility)).values()];
    // In the lab one machine is client and server.
    const serversOf = (arm: string): number | null => {
      const { configuration, storage } = armNamed(arms, arm);
      return elsewhere !== null || configuration === null
        ? 0
        : (storage?.documented.serverMemoryBytes?.(configuration) ?? null);
    };
    const unknown = [...new Set(written.map(({ arm }) => arm))].filter((arm) => serversOf(arm) === null);
    const servers =
      unknown.length === 0 ? '' : `; how much memory the servers of ${listed(unknown)} have is not documented`;
    const couldFind = `data that fit into memory in any of ${counted(groups.length, 'combination')} of arm and compressibility${servers}`;
    const small = groups.flatMap((tasks) => {
      const first = tasks[0];
      if (first === undefined) return [];
      const memory = first.clients * memoryBytes + (serversOf(first.arm) ?? 0);
      const least = Math.min(...tasks.map((task) => task.bytes ?? memory));
      return least > memory ? [] : [{ ...first, least, memory }];
    });
    if (small.length === 0) return judged([], couldFind);
    const worst = small.reduce((a, b) => (a.least / a.memory < b.least / b.memory ? a : b));
    return judged(
      [
        {
          severity: 'warning',
          message: `The data of ${small.length} of ${groups.length} combinations of arm and compressibility fit into memory, so that reads may not have reached the disks.`,
          expected: `more than ${bytes(worst.memory)} (${counted(worst.clients, 'client')}${elsewhere === null && !unknown.includes(worst.arm) ? ' and the servers' : ''})`,
          actual: `${bytes(worst.least)} in ${place(worst.arm, 'write', worst.compressibility)}`,
          suggestion: 'raise seconds and maxMiBPerArm',
          where: small.map(({ arm, compressibility }) => place(arm, 'write', compressibility)).join('; '),
        },
      ],
      couldFind,
    );
  },
};

/** Data that arrive faster than the network allows were already cached on the clients. */
export const fasterThanNetwork: ValidityRule = {
  id: 'faster-than-network',
  checks: 'no rate above what the clients’ network can carry',
  check({ clients, elsewhere, measured }) {
    if (elsewhere !== null) return unchecked(elsewhere.network);
    const { networkBurstMbps } = clients;
    if (networkBurstMbps === null) return unchecked('the network of the clients is not known');
    const rates = measured.flatMap((task) =>
      task.rateMBps === null || !/^(write|read)$/.test(task.operation)
        ? []
        : [{ task, rate: task.rateMBps, most: (task.clients * networkBurstMbps) / 8 }],
    );
    if (rates.length === 0) return inapplicable('neither writes nor reads');
    const lowest = rates.reduce((least, one) => Math.min(least, one.most), Number.POSITIVE_INFINITY);
    const couldFind = `a rate above ${plain(lowest)} MB/s in any of ${counted(rates.length, 'phase')}; a cache that is slower than that looks like the network`;
    const groups = Map.groupBy(
      rates.filter(({ rate, most }) => rate > most),
      ({ task }) => keyOf(task.arm, task.operation, task.compressibility),
    );
    const findings = [...groups.values()].map((own): RuleFinding => {
      const worst = own.reduce((a, b) => (a.rate > b.rate ? a : b));
      const { arm, operation, compressibility } = worst.task;
      return {
        severity: 'error',
        message: `${place(arm, operation, compressibility)}: faster than the clients’ network, so that it came from a cache.`,
        expected: `at most ${plain(worst.most)} MB/s (${worst.task.clients} × ${plain(networkBurstMbps / 8)} MB/s)`,
        actual: `${plain(worst.rate)} MB/s`,
        suggestion: 'drop the caches of the clients, and let other clients read than those that wrote',
        where: arm,
      };
    });
    return judged(findings, couldFind);
  },
};
