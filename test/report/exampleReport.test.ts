import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDrawing } from '../../lib/common/page/drawing';
import { exampleReport } from './exampleReport';

const FOLDER = join(__dirname, '..', '..', 'docs', 'example-report');

// Plot moves lines by half a pixel where it finds a test runner's `it`.
beforeAll(async () => {
  const { it } = globalThis;
  Reflect.deleteProperty(globalThis, 'it');
  await loadDrawing();
  globalThis.it = it;
});

/** `DRAW=1 npx jest test/report/exampleReport.test.ts` writes it anew. */
test('the example report is what the code makes of its run, which is VALID', async () => {
  const { validity, files } = await exampleReport();
  expect(validity).toBe('VALID');
  for (const [name, text] of Object.entries(files)) {
    expect(text.length).toBeLessThan(400_000);
    expect(text).toContain('Example with invented figures: LZ4 against no compression on FSx for Lustre');
    if (process.env.DRAW) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(join(FOLDER, name), text);
    }
    expect(readFileSync(join(FOLDER, name), 'utf8') === text).toBe(true);
  }
});
