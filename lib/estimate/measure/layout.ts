import type { Extent } from '../source/extents';
import type { Geometry } from './geometry';

/** The layout of files on a file system, as the scans and samples ask for it. */
export interface FileLayout {
  /** The largest run of a file's bytes that is stored by itself. */
  readonly geometry: Pick<Geometry, 'recordBytes' | 'stripeCount'>;
  /** Space of uncompressed data. */
  ofRaw(bytes: number): number;
  /** @param blockBytes space of its blocks @param pointersOf number of blocks behind each first-level indirect block */
  ofFile(fileBytes: number, blockBytes: number, pointersOf: readonly number[]): number;
  /** @param data where its data are: holes take no space. @default - everywhere */
  ofUncompressed(fileBytes: number, data?: readonly Extent[]): number;
  /** The least that an uncompressed file may take, where that is not known. */
  ofUnpadded(fileBytes: number, data?: readonly Extent[]): number;
  /** Space of a file, independent of its content. */
  ofObjects(fileBytes: number): number;
  /** Space of the pointers to the blocks of a file without holes. */
  ofFullPointers(fileBytes: number): number;
}
