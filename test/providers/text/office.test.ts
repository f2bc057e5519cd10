import { describe, expect, it } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { docxPages, odtPages } from '../../../src/providers/text/formats/office.js';
import { pptxPages } from '../../../src/providers/text/formats/pptx.js';

const archive = (part: string, xml: string) => Buffer.from(zipSync({ [part]: strToU8(xml) }));
const wordText = (body: string) => docxPages(archive('word/document.xml', `<w:document>${body}</w:document>`))[0]?.text;
const openDocumentText = (body: string) =>
  odtPages(archive('content.xml', `<office:text>${body}</office:text>`))[0]?.text;

describe('the text of a Word document', () => {
  it('contains the text of a text box once', () => {
    const box = '<w:txbxContent><w:p><w:r><w:t>Box</w:t></w:r></w:p></w:txbxContent>';
    const choice = `<mc:Choice Requires="wps">${box}</mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback>`;
    const body = `<w:p><w:r><mc:AlternateContent>${choice}</mc:AlternateContent></w:r><w:r><w:t>After</w:t></w:r></w:p>`;
    expect(wordText(body)).toBe('Box\n\nAfter\n\n');
  });

  it('contains moved text only at its new place, and no deleted text', () => {
    const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
    const deleted = '<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>';
    const body = `<w:p><w:moveFrom>${run('moved')}</w:moveFrom>${run('a ')}${deleted}<w:moveTo>${run('moved')}</w:moveTo></w:p>`;
    expect(wordText(body)).toBe('a moved\n\n');
  });

  it('contains tabs, but not the tab stops of a paragraph', () => {
    const stops = '<w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr>';
    expect(wordText(`<w:p>${stops}<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r></w:p>`)).toBe('a\tb\n\n');
  });
});

describe('the text of an OpenDocument text', () => {
  it('contains neither deleted text nor comments', () => {
    const deletion =
      '<text:changed-region><text:deletion><text:p>deleted</text:p></text:deletion></text:changed-region>';
    const comment = '<office:annotation><dc:creator>Ada</dc:creator><text:p>comment</text:p></office:annotation>';
    const body = `<text:tracked-changes>${deletion}</text:tracked-changes><text:p>a<text:change/>b${comment}c</text:p>`;
    expect(openDocumentText(body)).toBe('abc\n\n');
  });

  it.each([
    ['<text:s/>', 1],
    ['<text:s text:c="3"/>', 3],
    ['<text:s text:c="-1"/>', 1],
    ['<text:s text:c="1e12"/>', 1_000],
  ])('represents %s by spaces: %i', (element, count) => {
    expect(openDocumentText(`<text:p>a${element}b</text:p>`)).toBe(`a${' '.repeat(count)}b\n\n`);
  });
});

it('the text of a slide contains alternative content once', () => {
  const shape = '<a:p><a:r><a:t>Shape</a:t></a:r></a:p>';
  const slide = `<p:sld><mc:AlternateContent><mc:Choice Requires="a14">${shape}</mc:Choice><mc:Fallback>${shape}</mc:Fallback></mc:AlternateContent></p:sld>`;
  expect(pptxPages(archive('ppt/slides/slide1.xml', slide))).toEqual([{ page: 1, text: 'Shape\n\n' }]);
});
