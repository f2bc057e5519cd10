/** A text or tag of an XML document. `isVerbatim`: entities are not decoded (CDATA). */
export type XmlToken =
  | { kind: 'text'; text: string; isVerbatim: boolean }
  | { kind: 'tag'; element: string; attributes: string; isClosing: boolean; isSelfClosing: boolean };

/** Comments, CDATA sections and processing instructions, with their delimiters. Without the end delimiter they are not sections. */
const SECTIONS = [
  { start: '<!--', end: '-->', isText: false },
  { start: '<![CDATA[', end: ']]>', isText: true },
  { start: '<?', end: '?>', isText: false },
];

/**
 * Splits XML into tags and texts; accepts malformed documents. Reads each character a bounded number of times (ADR
 * 0042).
 */
export function* xmlTokens(xml: string): Generator<XmlToken> {
  const ends = new MarkFinder(xml);
  let at = 0;
  while (at < xml.length) {
    if (xml[at] !== '<') {
      const end = ends.next('<', at) ?? xml.length;
      yield { kind: 'text', text: xml.slice(at, end), isVerbatim: false };
      at = end;
      continue;
    }
    const section = SECTIONS.find(({ start }) => xml.startsWith(start, at));
    const end = section && ends.next(section.end, at + section.start.length);
    if (section && end !== undefined) {
      if (section.isText) yield { kind: 'text', text: xml.slice(at + section.start.length, end), isVerbatim: true };
      at = end + section.end.length;
      continue;
    }
    const close = ends.next('>', at);
    if (close === undefined || (ends.next('<', at + 1) ?? xml.length) < close) {
      at++;
      continue;
    }
    const tag = parseTag(xml.slice(at + 1, close));
    if (tag) yield tag;
    at = close + 1;
  }
}

/** Finds marks for a reader that only moves forward. Each position is searched for only once. */
class MarkFinder {
  readonly #positions = new Map<string, number>();

  constructor(private readonly text: string) {}

  /** Returns the first position at or after `from`. */
  next(mark: string, from: number): number | undefined {
    let at = this.#positions.get(mark) ?? -1;
    if (at < from) {
      at = this.text.indexOf(mark, from);
      if (at < 0) at = Number.POSITIVE_INFINITY;
      this.#positions.set(mark, at);
    }
    return at === Number.POSITIVE_INFINITY ? undefined : at;
  }
}

/** Parses the text between `<` and `>`. */
function parseTag(inside: string): XmlToken | undefined {
  const isClosing = inside.startsWith('/');
  const element = /^[^\s/]+/.exec(isClosing ? inside.slice(1) : inside)?.[0];
  if (element === undefined) return undefined;
  const rest = inside.slice(element.length + (isClosing ? 1 : 0));
  const isSelfClosing = rest.endsWith('/');
  return { kind: 'tag', element, attributes: isSelfClosing ? rest.slice(0, -1) : rest, isClosing, isSelfClosing };
}
