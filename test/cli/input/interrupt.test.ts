import type { CliContext } from '../../../lib/cli/context';
import { silencedBy } from '../../../lib/cli/input/interrupt';
import { outStyled } from '../../../lib/cli/render/styled';

test('work that was interrupted prints nothing more, in no way', () => {
  const printed: string[] = [];
  const print = (text: string): void => void printed.push(text);
  const context: CliContext = {
    root: '',
    environment: {},
    interactive: true,
    out: print,
    err: print,
    raw: print,
    redraw: print,
  };
  const interrupted = new AbortController();
  const silenced = silencedBy(interrupted.signal, context);
  const printAll = (): void => {
    silenced.out('out');
    silenced.err('err');
    silenced.redraw?.('redrawn');
    outStyled(silenced, [{ style: 'bold', text: 'styled' }]);
  };
  printAll();
  expect(printed).toEqual(['out', 'err', 'redrawn', expect.stringContaining('styled')]);
  interrupted.abort();
  printAll();
  expect(printed).toHaveLength(4);
});
