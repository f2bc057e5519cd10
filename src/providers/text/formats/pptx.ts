import type { TextPage } from '../../../engine/text/page.js';
import { TextLimit } from '../../../engine/text/text-limit.js';
import { attributeOf, textOfXml, type XmlRules } from '../../../engine/text/xml-text.js';
import { xmlTokens } from '../../../engine/text/xml-tokens.js';
import { Zip } from '../zip.js';
import { xmlOf } from './office.js';

const slide: XmlRules = {
  text: new Set(['a:t']),
  block: new Set(['a:p']),
  // `mc:Fallback` repeats the content of `mc:Choice` for older programs.
  ignored: new Set(['mc:Fallback']),
  standsFor: new Map([['a:br', '\n']]),
  pageBreakOf: () => null,
};

/** Returns the text of each slide and then its notes, in the order of the presentation, with the number of the slide as the page. */
export function pptxPages(bytes: Buffer): TextPage[] {
  const zip = new Zip(bytes);
  const limit = new TextLimit();
  return slidesOf(zip).flatMap((part, index) =>
    [part, ...notesOf(zip, part)].flatMap(name =>
      textOfXml(xmlOf(zip, name), slide, null, limit).map(({ text }) => ({ page: index + 1, text })),
    ),
  );
}

/** The parts of the slides. The numbers in their names are not the order of the presentation; without its list they are used. */
function slidesOf(zip: Zip): string[] {
  const parts = zip.names.filter(name => /^ppt\/slides\/slide\d+\.xml$/.test(name));
  const targets = new Map(relationsOf(zip, 'ppt/presentation.xml').map(({ id, target }) => [id, target]));
  const listed = elementsOf(zip, 'ppt/presentation.xml', 'p:sldId')
    .map(attributes => targets.get(attributeOf(attributes, 'r:id')) ?? '')
    .filter(part => parts.includes(part));
  const numberOf = (name: string) => Number(/\d+/.exec(name)![0]);
  return listed.length > 0 ? listed : parts.toSorted((a, b) => numberOf(a) - numberOf(b));
}

function notesOf(zip: Zip, part: string): string[] {
  return relationsOf(zip, part)
    .filter(({ type, target }) => type.endsWith('/notesSlide') && zip.names.includes(target))
    .map(({ target }) => target);
}

/** A reference of one part to another (Open Packaging Conventions, ISO/IEC 29500-2). */
interface Relation {
  id: string;
  type: string;
  /** The name of the other part. */
  target: string;
}

function relationsOf(zip: Zip, part: string): Relation[] {
  const nameAt = part.lastIndexOf('/') + 1;
  const relations = `${part.slice(0, nameAt)}_rels/${part.slice(nameAt)}.rels`;
  return elementsOf(zip, relations, 'Relationship').map(attributes => ({
    id: attributeOf(attributes, 'Id'),
    type: attributeOf(attributes, 'Type'),
    target: resolve(part, attributeOf(attributes, 'Target')),
  }));
}

/** Resolves a target such as `../notesSlides/notesSlide1.xml` from a part. Empty for a target that is not an address. */
function resolve(part: string, target: string): string {
  return URL.parse(target, `zip:///${part}`)?.pathname.slice(1) ?? '';
}

/** The attributes of all elements with this name in a part, unparsed. Empty if the part is missing. */
function elementsOf(zip: Zip, part: string, name: string): string[] {
  if (!zip.names.includes(part)) return [];
  return [...xmlTokens(xmlOf(zip, part))].flatMap(token =>
    token.kind === 'tag' && !token.isClosing && token.element === name ? [token.attributes] : [],
  );
}
