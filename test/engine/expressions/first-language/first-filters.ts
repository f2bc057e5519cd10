// The filters of the first placeholder language, before expressions existed. compatibility.test.ts compares today's language with them.
import { textOf } from '../../../../src/engine/json-value.js';

export type FilterArgument = string | number | boolean | null | undefined;

interface FilterKind {
  /** Returns an error text for an invalid argument, otherwise undefined. */
  check(argument: FilterArgument): string | undefined;
  /** Applies the filter. `undefined` means that the value does not exist; only `default` accepts it. */
  apply(value: unknown, argument: FilterArgument): unknown;
}

const takesNothing = (argument: FilterArgument) => (argument === undefined ? undefined : 'takes no argument');

const onText = (change: (text: string) => string): FilterKind => ({
  check: takesNothing,
  apply: value => (value === undefined ? undefined : change(textOf(value))),
});

/** The filters by name. */
export const filters: ReadonlyMap<string, FilterKind> = new Map<string, FilterKind>([
  [
    'default',
    {
      check: argument => (argument === undefined ? 'takes a text, a number, true, false or null' : undefined),
      apply: (value, argument) => (value === undefined || value === null || value === '' ? argument : value),
    },
  ],
  ['json', { check: takesNothing, apply: value => JSON.stringify(value) }],
  ['upper', onText(text => text.toUpperCase())],
  ['lower', onText(text => text.toLowerCase())],
  ['trim', onText(text => text.trim())],
  [
    'truncate',
    {
      check: argument =>
        typeof argument === 'number' && Number.isSafeInteger(argument) && argument >= 0
          ? undefined
          : 'takes a whole number of characters',
      apply: (value, argument) => (value === undefined ? undefined : truncate(textOf(value), Number(argument))),
    },
  ],
  [
    'join',
    {
      check: argument => (argument === undefined || typeof argument === 'string' ? undefined : 'takes a text'),
      apply: (value, argument) =>
        Array.isArray(value) ? value.map(textOf).join(argument as string | undefined) : value,
    },
  ],
]);

/** Truncates between characters, because an unpaired surrogate could not be stored. */
function truncate(text: string, length: number): string {
  const cut = text.slice(0, length);
  const last = cut.charCodeAt(cut.length - 1);
  return cut.length < text.length && last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
}
