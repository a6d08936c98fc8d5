import type { Geometry } from './geometry';

/** The layout of files on a file system, as the scans and samples ask for it. */
export interface FileLayout {
  /** The largest run of a file's bytes that is stored by itself. */
  readonly geometry: Pick<Geometry, 'recordBytes' | 'stripeCount'>;
  /** Space of uncompressed data. */
  ofRaw(bytes: number): number;
  /** @param blockBytes space of its blocks @param pointersOf number of blocks behind each first-level indirect block */
  ofFile(fileBytes: number, blockBytes: number, pointersOf: readonly number[]): number;
  ofUncompressed(fileBytes: number, hole?: boolean): number;
  /** The least that an uncompressed file may take, where that is not known. */
  ofUnpadded(fileBytes: number, hole?: boolean): number;
  /** Space of a file, independent of its content. */
  ofObjects(fileBytes: number): number;
  /** Space of the pointers to the blocks of a file without holes. */
  ofFullPointers(fileBytes: number): number;
}
