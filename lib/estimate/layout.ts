/** How a file system lays files out: what the scans and samples ask of it. */
export interface FileLayout {
  /** The largest run of a file's bytes that is stored by itself. */
  readonly geometry: { readonly recordBytes: number };
  /** Space of uncompressed data. */
  ofRaw(bytes: number): number;
  /** @param blockBytes space of its blocks @param pointersOf number of blocks behind each first-level indirect block */
  ofFile(fileBytes: number, blockBytes: number, pointersOf: readonly number[]): number;
  ofUncompressed(fileBytes: number, hole?: boolean): number;
  /** Space of a file, independent of its content. */
  ofObjects(fileBytes: number): number;
  /** Space of the pointers to the blocks of a file without holes. */
  ofFullPointers(fileBytes: number): number;
}
