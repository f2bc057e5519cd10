import type { ProxyRequest } from '../provider.js';

/**
 * Replaces the model in the text of a request. All other bytes stay unchanged, including numbers that JavaScript cannot represent and
 * the order of members.
 */
export function withModel({ text, value, utf8 }: ProxyRequest, model: string): string | Buffer {
  if (value.model === model) return utf8 ?? text;
  const [start, end] = lastValueOf(text, 'model') ?? [0, 0];
  if (end > start) return text.slice(0, start) + JSON.stringify(model) + text.slice(end);
  return JSON.stringify({ ...value, model });
}

/** Finds the value of a member of the outermost object. The last one of duplicates counts, as in JSON.parse. */
function lastValueOf(json: string, name: string): [start: number, end: number] | undefined {
  let position: [number, number] | undefined;
  let depth = 0;
  let key: string | undefined;
  let isKey = true;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '"': {
        const end = endOfString(json, at);
        if (depth === 1) {
          if (isKey) key = JSON.parse(json.slice(at, end)) as string;
          else if (key === name) position = [at, end];
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
        // Also set within nested values: a comma follows them before the next key.
        isKey = json[at] === ',';
    }
  }
  return position;
}

/** Returns the index after the closing quote of the string that starts at `start`. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json[before] === '\\') before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return json.length;
}
