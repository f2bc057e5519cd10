/** What a text names in one place. Ids beyond 32 bits are kept as they are: nothing has them. */
export type Placeholder =
  | { text: string; kind: 'variable'; pick: number; variable: number; name: number }
  | { text: string; kind: 'message'; pick: number; message: number };

const PLACEHOLDER =
  /<variable>\s*(-?\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*<\/variable>|<message>\s*(-?\d+)\s*,\s*(\d+)\s*<\/message>/g;

/** `<variable>-1,V,N</variable>` and `<message>0,M</message>` in the order in which they stand. */
export function placeholdersOf(content: string): Placeholder[] {
  return [...content.matchAll(PLACEHOLDER)].map(([text, variablePick, variable, name, messagePick, message]) =>
    variablePick === undefined
      ? { text, kind: 'message', pick: Number(messagePick), message: Number(message) }
      : { text, kind: 'variable', pick: Number(variablePick), variable: Number(variable), name: Number(name) },
  );
}
