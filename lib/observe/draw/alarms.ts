import { html, type Markup } from '../../kit/page/markup';
import type { CollectedAlarm } from '../../schema/metrics';

const WORDS: Readonly<Record<CollectedAlarm['state'], string>> = {
  ALARM: 'in alarm',
  INSUFFICIENT_DATA: 'without enough data',
  OK: 'OK',
};

/** The alarms of a widget: those in alarm with what to do about them, then the names of the others. */
export function alarmStates(arns: readonly string[], states: readonly CollectedAlarm[] | undefined): Markup {
  const names = arns.map((arn) => arn.split(':').at(-1) ?? arn);
  if (states === undefined) {
    return html`<p class="absent">States were not collected; CloudWatch shows those of:</p>${listOf(names.map((name) => html`${shortened(name)}`))}`;
  }
  const own = names.map((name) => ({ name, alarm: states.find((one) => one.name === name) }));
  const off = own.flatMap(({ alarm }) => (alarm?.state === 'ALARM' ? [alarm] : []));
  const counts = (['ALARM', 'INSUFFICIENT_DATA', 'OK'] as const).flatMap((state) => {
    const count = own.filter(({ alarm }) => alarm?.state === state).length;
    return count === 0 ? [] : [`${count} ${WORDS[state]}`];
  });
  const gone = own.filter(({ alarm }) => alarm === undefined).length;
  const rest = own.filter(({ alarm }) => alarm?.state !== 'ALARM');
  return html`<p>When this was collected: ${[...counts, ...(gone > 0 ? [`${gone} not there any more`] : [])].join(', ')}.</p>
${off.length > 0 && html`<ul class="off">${off.map(({ description }) => html`<li>${description}</li>`)}</ul>`}${listOf(
  rest.map(
    ({ name, alarm }) => html`<span class="state ${(alarm?.state ?? 'gone').toLowerCase()}"></span>${shortened(name)}`,
  ),
)}`;
}

const listOf = (items: readonly Markup[]): Markup | null =>
  items.length === 0 ? null : html`<ul class="states">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** An alarm's name without the stack's behind it. */
const shortened = (name: string): string => name.replace(/ \([^()]+\)$/, '');
