/**
 * A Lustre on ZFS gives removed space back in the background: targets destroy objects some seconds later, and ZFS frees their blocks in
 * one transaction group after another, five seconds apart (zfs_txg_timeout, OpenZFS module parameters). `lfs df` on a 2.15.8 stood still
 * for up to five seconds between two steps down (test/fixtures/lustre/lfs-df-after-rm): readings are well further apart than that.
 */
export const SETTLE = {
  /** Between two readings. */
  everySeconds: 15,
  /** Readings in a row that must be alike: behind a removal, nothing may have begun at the first. */
  alike: { 'measure-capacity': 2, 'remove-data': 3 },
  /** Then the file system counts as unsettled: a benchmark must not wait for ever, nor for somebody else's work. */
  mostSeconds: 900,
} as const;
