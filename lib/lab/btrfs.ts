/** Mount options with which Btrfs stands in for FSx's DataCompressionType: it has no LZ4, LZO is its nearest relative. */
export const BTRFS_OPTIONS = { NONE: 'noatime,compress=no', LZ4: 'noatime,compress-force=lzo' } as const;
