import type { ChatRequest } from './chat-format.js';

/**
 * The request asking for another model, every other byte as it was: numbers that JavaScript cannot hold, and the
 * order of members, survive.
 */
export function withModel({ text, value, utf8 }: ChatRequest, model: string): string | Buffer {
  if (value.model === model) return utf8 ?? text;
  const [start, end] = lastValueOf(text, 'model') ?? [0, 0];
  if (end > start) return text.slice(0, start) + JSON.stringify(model) + text.slice(end);
  return JSON.stringify({ ...value, model });
}

/** Where the value of a member of the outermost object stands. Of several the last one counts, as it does to a parser. */
function lastValueOf(json: string, name: string): [start: number, end: number] | undefined {
  let found: [number, number] | undefined;
  let depth = 0;
  let key: string | undefined;
  let isKey = true;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '"': {
        const end = endOfString(json, at);
        if (depth === 1) {
          if (isKey) key = JSON.parse(json.slice(at, end)) as string;
          else if (key === name) found = [at, end];
        }
        at = end - 1;
        break;
      }
      case '{':
      case '[':
        depth++;
        break;
      case '}':
      case ']':
        depth--;
        break;
      case ':':
      case ',':
        // Within a nested value as well: behind that a comma comes before the next key.
        isKey = json[at] === ',';
    }
  }
  return found;
}

/** Behind the closing quote of the string that starts at a quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json[before] === '\\') before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return json.length;
}
