/** The program of the page of `fsxbench explore`, bundled for a browser: reads the fields, advises, shows. */
import * as plot from '@observablehq/plot';
import { type Advice, advise, type Option } from '../lib/advise';
import { describeOption } from '../lib/advise/wording';
import { type AdviseFlags, type FoundData, ofData, requirementOf } from '../lib/cli/input/requirement';
import { shellWord } from '../lib/common/format/text';
import { drawingWith } from '../lib/common/page/drawing';
import { html, type Markup } from '../lib/common/page/markup';
import { answerSections, answerSentence, changeList, inFields } from '../lib/explore/answer';
import { type MeasuredRate, measuredSpots } from '../lib/explore/measured';
import { optionSections, ticketOf } from '../lib/explore/option';
import { fieldName, fieldsOf } from '../lib/explore/page';
import { bookWith, DEFAULT_REGION, type PriceFile } from '../lib/price/prices';

const drawing = drawingWith(plot, document);
const element = <E extends HTMLElement = HTMLInputElement>(id: string): E => document.getElementById(id) as E;
const found = JSON.parse(element('found').textContent ?? 'null') as (FoundData & { paths: readonly string[] }) | null;
const book = bookWith(JSON.parse(element('prices').textContent ?? 'null') as PriceFile | null);
const fields = fieldsOf(found);
const CHECKS = new Set(fields.flatMap(({ flag, check }) => (check ? [flag] : [])));
const measured = JSON.parse(element('measured').textContent ?? '[]') as readonly MeasuredRate[];
const START = '#write=3&capacity=40';

/** Notes on the requirement. */
const noteList = ({ notes }: Advice): Markup | null =>
  notes.length === 0 ? null : html`<ul>${notes.map(({ message }) => html`<li>${inFields(message)}.</li>`)}</ul>`;

let advice: Advice | null = null;
/** Words of the chosen option: its rank changes with the requirement. Empty for the first. */
let wanted = '';

/** The state as the address has it, by name of the option of `advise`. */
function stateOf(): Map<string, string> {
  const state = new Map<string, string>();
  for (const { flag, check } of fields) {
    const input = element(`f-${flag}`);
    const value = check ? (input.checked ? 'yes' : '') : input.value.trim();
    if (value !== '') state.set(flag, value);
  }
  return state;
}

function flagsOf(state: ReadonlyMap<string, string>): AdviseFlags {
  const { together, efa, storage, ...rest } = Object.fromEntries(state);
  return {
    ...rest,
    ...(together !== undefined && { together: true }),
    ...(efa !== undefined && { efa: true }),
    ...(storage !== undefined && { storage: [storage] }),
  };
}

const dashed = (flag: string): string => flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The command that gives the same answer, whatever Region the environment names. */
const commandOf = (state: ReadonlyMap<string, string>): string =>
  [
    'npx fsxbench advise',
    ...[...state].map(([flag, value]) => (CHECKS.has(flag) ? `--${flag}` : `--${dashed(flag)} ${shellWord(value)}`)),
    ...(state.has('region') ? [] : [`--region ${DEFAULT_REGION}`]),
    ...(found?.paths ?? []).map((path) => `--data ${shellWord(path)}`),
  ].join(' ');

function adviceOf(state: ReadonlyMap<string, string>): Advice {
  const flags = flagsOf(state);
  const region = flags.region ?? DEFAULT_REGION;
  if (found === null) return advise(requirementOf(flags, region, fieldName), book);
  const stated = requirementOf({ ...flags, data: found.paths }, region, fieldName);
  return advise(ofData(stated, found, found.paths), book);
}

const chosen = (): Option | undefined => advice?.options[Number(element<HTMLSelectElement>('option').value) || 0];

/** The address names the fields, and the chosen option unless it is the first. */
function writeAddress(): void {
  const state = new URLSearchParams([...stateOf(), ...(wanted === '' ? [] : [['option', wanted]])]);
  history.replaceState(null, '', `#${state}`);
}

function showDetail(): void {
  const option = chosen();
  const at = option === undefined ? -1 : (advice?.options.indexOf(option) ?? -1);
  element('detail').innerHTML =
    option === undefined || advice === null
      ? ''
      : optionSections(option, at + 1, advice.requirement, { drawing, measured, book }).toString();
}

function show(): void {
  const state = stateOf();
  try {
    advice = adviceOf(state);
    const points = measuredSpots(measured, advice.requirement, book);
    element('problem').textContent = '';
    element('headline').innerHTML = answerSentence(advice).toString();
    element('notes').innerHTML = html`${changeList(advice)}${noteList(advice)}`.toString();
    element('answer').innerHTML = answerSections(advice, drawing, points).toString();
    element('option').innerHTML = '';
    element('option').append(
      ...advice.options.map(({ configuration }, index) => {
        const words = describeOption(configuration);
        return new Option(`${index + 1} · ${words}`, `${index}`, false, words === wanted);
      }),
    );
  } catch (error) {
    advice = null;
    element('problem').textContent = (error as Error).message;
    for (const id of ['headline', 'notes', 'answer', 'option']) element(id).innerHTML = '';
  }
  showDetail();
  writeAddress();
  performance.measure('shown', { start: changedAt, end: performance.now() });
}
let changedAt = 0;

/** Puts what the address says into the fields. */
function read(): void {
  changedAt = performance.now();
  const asked = new URLSearchParams((location.hash || START).slice(1));
  wanted = asked.get('option') ?? '';
  for (const { flag, check, slider } of fields) {
    const input = element(`f-${flag}`);
    const value = asked.get(flag) ?? '';
    if (check) input.checked = value !== '';
    else input.value = value;
    if (slider !== undefined) element(`s-${flag}`).value = String(Math.log(Number(value) || slider.min));
  }
  // A value in a field that is not shown would be a surprise.
  element<HTMLDetailsElement>('more').open ||= [...element('more').querySelectorAll('input, select')].some((input) =>
    asked.has(input.id.replace('f-', '')),
  );
  show();
}

for (const { flag, slider } of fields) {
  const input = element(`f-${flag}`);
  input.addEventListener('input', () => {
    changedAt = performance.now();
    if (slider !== undefined) element(`s-${flag}`).value = String(Math.log(Number(input.value) || slider.min));
    show();
  });
  if (slider === undefined) continue;
  element(`s-${flag}`).addEventListener('input', () => {
    changedAt = performance.now();
    const value = Number(Math.exp(Number(element(`s-${flag}`).value)).toPrecision(slider.digits ?? 3));
    input.value = String(slider.whole ? Math.round(value) : value);
    show();
  });
}

function copies(id: string, text: () => string): void {
  element(id).addEventListener('click', async () => {
    await navigator.clipboard.writeText(text());
    element('copied').textContent = 'Copied.';
  });
}
copies('copy-command', () => commandOf(stateOf()));
copies('copy-json', () => JSON.stringify(chosen()?.cdkJson ?? {}, null, 2));
copies('copy-ticket', () => {
  const option = chosen();
  return option === undefined || advice === null ? '' : ticketOf(option, advice.requirement, commandOf(stateOf()));
});
element('option').addEventListener('input', () => {
  const option = chosen();
  wanted = option === undefined || option === advice?.options[0] ? '' : describeOption(option.configuration);
  showDetail();
  writeAddress();
});
element('requirement').addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', read);
/** For scripts and tests: the document that `advise --json` prints. */
Object.defineProperty(globalThis, 'advice', { get: () => advice });
read();
