import { crc32, deflateSync } from 'node:zlib';
import { zipSync } from 'fflate';

const text = (content: string) => new TextEncoder().encode(content);

function zip(entries: Record<string, string>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(entries).map(([name, xml]) => [name, text(xml)]))));
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OPC = 'http://schemas.openxmlformats.org';

function contentTypes(overrides: Record<string, string>): string {
  const parts = Object.entries(overrides).map(
    ([part, type]) =>
      `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
  );
  return `${XML}<Types xmlns="${OPC}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${parts.join('')}</Types>`;
}

/** A Word document. `\f` is a page break. `prologue` is the text before the root element. */
export function docx(paragraphs: string[], prologue = XML): Buffer {
  const body = paragraphs
    .map(paragraph =>
      paragraph === '\f'
        ? '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
        : `<w:p><w:r><w:t>${paragraph}</w:t></w:r></w:p>`,
    )
    .join('');
  return zip({
    '[Content_Types].xml': contentTypes({ '/word/document.xml': 'wordprocessingml.document.main' }),
    'word/document.xml': `${prologue}<w:document xmlns:w="${OPC}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  });
}

/** One slide for each text. */
export function pptx(slides: string[]): Buffer {
  const part = (index: number) => `ppt/slides/slide${index + 1}.xml`;
  return zip({
    '[Content_Types].xml': contentTypes({
      '/ppt/presentation.xml': 'presentationml.presentation.main',
      ...Object.fromEntries(slides.map((_, index) => [`/${part(index)}`, 'presentationml.slide'])),
    }),
    'ppt/presentation.xml': `${XML}<p:presentation xmlns:p="${OPC}/presentationml/2006/main"/>`,
    ...Object.fromEntries(
      slides.map((slide, index) => [part(index), `${XML}<p:sld><a:p><a:r><a:t>${slide}</a:t></a:r></a:p></p:sld>`]),
    ),
  });
}

/** Three slides that are stored in another order, of which the last shown one has notes. */
export function presentation(): Buffer {
  const text = (value: string) => `${XML}<p:sld><a:p><a:r><a:t>${value}</a:t></a:r></a:p></p:sld>`;
  const relations = (...all: [id: string, type: string, target: string][]) =>
    `${XML}<Relationships xmlns="${OPC}/package/2006/relationships">${all
      .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OPC}/relationships/${type}" Target="${target}"/>`)
      .join('')}</Relationships>`;
  return zip({
    '[Content_Types].xml': contentTypes({ '/ppt/presentation.xml': 'presentationml.presentation.main' }),
    'ppt/presentation.xml': `${XML}<p:presentation><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/><p:sldId id="258" r:id="rId3"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      ['rId1', 'slide', 'slides/slide1.xml'],
      ['rId2', 'slide', '/ppt/slides/slide2.xml'],
      ['rId3', 'slide', 'slides/slide3.xml'],
    ),
    'ppt/slides/slide1.xml': text('Second'),
    'ppt/slides/slide2.xml': text('First'),
    'ppt/slides/slide3.xml': text('Third'),
    'ppt/slides/_rels/slide3.xml.rels': relations(['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml']),
    'ppt/notesSlides/notesSlide1.xml': text('Notes of the third'),
  });
}

export function odt(paragraphs: string[]): Buffer {
  const body = paragraphs.map(paragraph => `<text:p>${paragraph}</text:p>`).join('');
  return Buffer.from(
    zipSync({
      mimetype: [text('application/vnd.oasis.opendocument.text'), { level: 0 }],
      'content.xml': text(
        `${XML}<office:document-content><office:text>${body}</office:text></office:document-content>`,
      ),
    }),
  );
}

/** One sheet with these rows of texts and numbers. `{ shared }` is the index of a shared text. */
export function xlsx(rows: (string | number | { shared: number })[][], shared: string[] = []): Buffer {
  const cells = rows
    .map((row, y) => {
      const columns = row.map((value, x) => {
        const at = `${String.fromCharCode(65 + x)}${y + 1}`;
        if (typeof value === 'object') return `<c r="${at}" t="s"><v>${value.shared}</v></c>`;
        return typeof value === 'number'
          ? `<c r="${at}"><v>${value}</v></c>`
          : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
      });
      return `<row r="${y + 1}">${columns.join('')}</row>`;
    })
    .join('');
  const relationships = (...all: [id: string, type: string, target: string][]) => {
    const each = all.map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="${OPC}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    );
    return `${XML}<Relationships xmlns="${OPC}/package/2006/relationships">${each.join('')}</Relationships>`;
  };
  const texts = shared.map(value => `<si><t>${value}</t></si>`).join('');
  return zip({
    '[Content_Types].xml': contentTypes({
      '/xl/workbook.xml': 'spreadsheetml.sheet.main',
      '/xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet',
      '/xl/sharedStrings.xml': 'spreadsheetml.sharedStrings',
    }),
    '_rels/.rels': relationships(['rId1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `${XML}<workbook xmlns="${OPC}/spreadsheetml/2006/main" xmlns:r="${OPC}/officeDocument/2006/relationships"><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'sharedStrings', 'sharedStrings.xml'],
    ),
    'xl/sharedStrings.xml': `${XML}<sst xmlns="${OPC}/spreadsheetml/2006/main">${texts}</sst>`,
    'xl/worksheets/sheet1.xml': `${XML}<worksheet xmlns="${OPC}/spreadsheetml/2006/main"><sheetData>${cells}</sheetData></worksheet>`,
  });
}

/** One page for each text, of ASCII characters only. Optionally encrypted with an unknown password. */
export function pdf(pages: string[], { isLocked = false } = {}): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((page, index) => {
      const lines = page.match(/\S.{0,59}(?=\s|$)/g) ?? [];
      const stream = `BT /F1 12 Tf 14 TL 72 720 Td ${lines.map(line => `(${line}) Tj T*`).join(' ')} ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const entries = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  const hash = `<${'5a'.repeat(32)}>`;
  const lock = isLocked
    ? ` /ID [${hash} ${hash}] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${hash} /U ${hash} >>`
    : '';
  file += `trailer << /Size ${objects.length + 1} /Root 1 0 R${lock} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** Letters as seven rows of five dots. */
const glyphs: Record<string, string> = {
  E: '11111100001000011110100001000011111',
  H: '10001100011000111111100011000110001',
  L: '10000100001000010000100001000011111',
  O: '01110100011000110001100011000101110',
  ' ': '0'.repeat(35),
};

/** Black letters (E, H, L, O and spaces) on white, large enough for text recognition. */
export function png(letters: string, dot = 8): Buffer {
  const margin = 5;
  const columns = letters.length * 6 + 2 * margin;
  const rows = 7 + 2 * margin;
  const width = columns * dot;
  const lines: Buffer[] = [];
  for (let y = 0; y < rows * dot; y++) {
    const line = Buffer.alloc(width + 1, 255);
    line[0] = 0;
    for (let x = 0; x < width; x++) {
      const [column, row] = [Math.floor(x / dot) - margin, Math.floor(y / dot) - margin];
      const glyph = glyphs[letters[Math.floor(column / 6)] ?? ' '] ?? '';
      if (column >= 0 && row >= 0 && row < 7 && column % 6 < 5 && glyph[row * 5 + (column % 6)] === '1')
        line[x + 1] = 0;
    }
    lines.push(line);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows * dot, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngPart('IHDR', header),
    pngPart('IDAT', deflateSync(Buffer.concat(lines))),
    pngPart('IEND', Buffer.alloc(0)),
  ]);
}

function pngPart(type: string, data: Buffer): Buffer {
  const part = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(part), 4);
  return Buffer.concat([frame.subarray(0, 4), part, frame.subarray(4)]);
}
