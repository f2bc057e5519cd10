import { describe, expect, it } from '@jest/globals';
import { TextLimit } from '../../../src/engine/text/text-limit.js';
import { UnreadableError } from '../../../src/engine/text/unreadable.js';
import {
  attributeOf,
  decodeEntities,
  hasDoctype,
  textOfXml,
  type XmlRules,
} from '../../../src/engine/text/xml-text.js';
import { cpuSecondsOf, LINEAR_SECONDS } from '../../support/processes/cpu-seconds.js';

const rules: XmlRules = {
  text: new Set(['t']),
  block: new Set(['p']),
  ignored: new Set(['deleted']),
  standsFor: new Map<string, string | ((attributes: string) => string)>([
    ['tab', '\t'],
    ['repeat', attributes => attributes.trim()],
  ]),
  pageBreakOf: (element, attributes) => {
    if (element === 'rendered') return 'rendered';
    return element === 'br' && attributes.includes('page') ? 'explicit' : null;
  },
};
const read = (xml: string, first: number | null = 1) => textOfXml(xml, rules, first, new TextLimit());

describe('the text of XML', () => {
  it('is the content of its text elements', () => {
    expect(read('<?xml version="1.0"?><d>no<p><t>a</t><tab/><t a="b">&lt;b&gt;</t></p><!-- <t>no</t> --></d>')).toEqual(
      [{ page: 1, text: 'a\t<b>\n\n' }],
    );
    expect(read('<p><t><![CDATA[a < b]]></t><t/>no</p>')[0]?.text).toBe('a < b\n\n');
  });

  it('is the whole content of its blocks if the rules name no text elements', () => {
    const pages = textOfXml('<d>no<p>a<span>b</span></p></d>', { ...rules, text: null }, null, new TextLimit());
    expect(pages).toEqual([{ page: null, text: 'ab\n\n' }]);
  });

  it('contains the text that an element represents by its attributes', () => {
    expect(read('<p><t>a</t><repeat bc/></p>')[0]?.text).toBe('abc\n\n');
  });

  it('does not contain ignored elements, with the tabs, paragraphs and pages in them', () => {
    const ignored =
      '<deleted><p><t>no</t><tab/><deleted/><deleted>no</deleted></p><br type="page"/><t>no</t></deleted>';
    expect(read(`<p><t>a</t>${ignored}<t>b</t></p>`)).toEqual([{ page: 1, text: 'ab\n\n' }]);
    expect(read('<p><deleted/><t>a</t></p>')[0]?.text).toBe('a\n\n');
  });

  it('is separated by pages', () => {
    expect(
      read('<p><t>a</t></p><p><br type="page"/><t>b</t></p>').map(({ page, text }) => [page, text.trim()]),
    ).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    // A program renders each explicit break, which is not a second one.
    const broken = '<p><t>a</t></p><p><br type="page"/></p><p><rendered/><t>b</t></p><p><rendered/><t>c</t></p>';
    expect(read(broken).map(({ page, text }) => [page, text.trim()])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    expect(read('<p><t>a</t><br type="page"/><t>b</t></p>', null)).toHaveLength(1);
  });

  it('is refused where it exceeds the limit, which several parts share', () => {
    const limit = new TextLimit(1_000);
    const part = `<p>${'<t>abcdefgh</t>'.repeat(50)}</p>`;
    expect(textOfXml(part, rules, 1, limit)[0]?.text).toHaveLength(402);
    textOfXml(part, rules, 1, limit);
    expect(() => textOfXml(part, rules, 1, limit)).toThrow(UnreadableError);
  });

  it('is found in linear time in hostile content', () => {
    const seconds = cpuSecondsOf(() => {
      for (const part of ['<', '<t', '<!--', '<![CDATA[', '&#', '<t>', '</t>', '<t a="']) read(part.repeat(20_000));
    });
    expect(seconds).toBeLessThan(LINEAR_SECONDS);
  });

  it.each([
    [' a="1" b="2"', '2'],
    ["\n\tb\n=\n'2'", '2'],
    [' a="b=1" ab="3" x:b="4" b=" &lt;2&gt; "', '<2>'],
    [' b=1 c="3"', ''],
    [' b="1', ''],
    ['', ''],
  ])('has the attribute `b` of the tag %j', (attributes, value) => {
    expect(attributeOf(attributes, 'b')).toBe(value);
  });

  it('finds attributes in linear time', () => {
    const seconds = cpuSecondsOf(() => {
      for (const part of ['=', '= ', ' ', 'a=', 'a="1" ', "a='", 'b ']) attributeOf(part.repeat(100_000), 'b');
    });
    expect(seconds).toBeLessThan(LINEAR_SECONDS);
  });

  it('decodes the entities of XML and those by number', () => {
    expect(decodeEntities('&amp;lt; &#65;&#x1F600; &unknown; &constructor; &#0;&#x110000;')).toBe(
      '&lt; A😀 &unknown; &constructor; ',
    );
  });

  it('reports a document type definition', () => {
    expect([hasDoctype('<?xml?><!doctype x>'), hasDoctype('<x><!ENTITY a "b">'), hasDoctype('<x/>')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
