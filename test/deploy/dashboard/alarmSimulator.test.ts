import { type AlarmState, stateAfter } from '../../support/alarmSimulator';

const POINTS: Readonly<Record<string, boolean | null>> = { 0: false, X: true, '-': null };
const TREATMENTS = ['missing', 'ignore', 'breaching', 'notBreaching'] as const;
const WORDS: Readonly<Record<string, AlarmState | 'RETAINED'>> = {
  ok: 'OK',
  alarm: 'ALARM',
  insufficient: 'INSUFFICIENT_DATA',
  retain: 'RETAINED',
};

// The two tables of the CloudWatch user guide, "How alarm state is evaluated when data is missing": five points, of which three count.
describe.each([
  [
    3,
    [
      ['0 - X - X', 'ok ok ok ok'],
      ['0 - - - -', 'ok ok ok ok'],
      ['- - - - -', 'insufficient retain alarm ok'],
      ['0 X X - X', 'alarm alarm alarm alarm'],
      ['- - - - X', 'insufficient retain alarm ok'],
      ['X - - - -', 'alarm retain alarm ok'],
    ],
  ],
  [
    2,
    [
      ['0 - X - X', 'alarm alarm alarm alarm'],
      ['0 0 X 0 X', 'alarm alarm alarm alarm'],
      ['0 - X - -', 'ok ok alarm ok'],
      ['- - - - 0', 'ok ok alarm ok'],
      ['- - - - X', 'insufficient retain alarm ok'],
    ],
  ],
])('as documented, with %i of 3 points to alarm', (needed, rows) => {
  test.each(rows)('%s', (points, expected) => {
    const range = points.split(' ').map((point) => POINTS[point] ?? null);
    for (const [index, word] of expected.split(' ').entries()) {
      const missing = TREATMENTS[index] ?? 'missing';
      for (const before of ['OK', 'ALARM', 'INSUFFICIENT_DATA'] as const) {
        const state = WORDS[word] === 'RETAINED' ? before : WORDS[word];
        expect([missing, before, stateAfter(range, { of: 3, needed, missing }, before)]).toEqual([
          missing,
          before,
          state,
        ]);
      }
    }
  });
});
