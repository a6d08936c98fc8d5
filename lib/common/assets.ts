import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Folders with assets/, from this file and from a bundle in dist/. */
const NEAR = ['../../assets', '../assets'].map((path) => join(__dirname, path));

/** Path of something in assets/, the folder of what runs elsewhere. */
export const assetPath = (path: string): string => join(NEAR.find(existsSync) ?? '', path);
