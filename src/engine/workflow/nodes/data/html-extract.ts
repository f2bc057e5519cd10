import { z } from 'zod';
import { type JsonObject, setOwn } from '../../../json-value.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';

const VALUES = ['text', 'html', 'attribute'] as const;
const MAX_FIELDS = 50;

export const htmlExtract = nodeKind({
  type: 'html-extract-node',
  nodeType: 'HTMLExtractNode',
  title: 'HTML extraction',
  description:
    'Extracts values from HTML by CSS selectors. The content is a JSON object with one member for each field: a text, a list of texts, or null.',
  category: 'data',
  effects: 'none',
  outputs: oneOutput,
  defaults: { html: '{{ previous.content }}', fields: [{ name: 'title', selector: 'h1', value: 'text', all: false }] },
  form: {
    icon: 'file-code',
    color: '#ca8a04',
    fields: {
      html: { title: 'HTML', widget: 'textarea' },
      fields: { title: 'Fields', widget: 'list' },
      'fields.*.name': { title: 'Name', widget: 'text' },
      'fields.*.selector': { title: 'Selector', widget: 'text' },
      'fields.*.value': { title: 'Value', widget: 'select' },
      'fields.*.attribute': { title: 'Attribute', widget: 'text' },
      'fields.*.all': { title: 'All matches', widget: 'switch' },
    },
    content: { sample: '{"title": "Welcome", "links": ["/a", "/b"]}', schema: { type: 'object' } },
  },
  settings: setting => {
    const field = z.looseObject({
      name: z.string().min(1).max(100).describe('Name of the member of the content, 1-100 characters.'),
      selector: z
        .string()
        .min(1)
        .max(500)
        .describe(
          'CSS selector, 1-500 characters: types, `#id`, `.class`, `[attribute]`, the combinators space, `>` and `+`, commas, `:first-child`, `:last-child`, `:only-child`, `:empty`, `:root` and `:not()`.',
        ),
      value: z
        .enum(VALUES)
        .nullish()
        .describe(
          '`text` (default): the text without tags, scripts and styles; blocks and line breaks are separated by a space. `html`: the inner HTML. `attribute`: an attribute.',
        ),
      attribute: z.string().max(100).nullish().describe('Name of the attribute. Default `href`.'),
      all: z
        .boolean()
        .nullish()
        .describe('True: a list of all matches, at most 10000. False: the first match, or null. Default false.'),
    });
    return z.looseObject({
      html: setting
        .text(z.string())
        .nullish()
        .describe(
          'The HTML: at most 4194304 characters, 100000 elements, 256 levels, and 20000000 comparisons of elements with the parts of selectors. Default: the empty text.',
        ),
      fields: setting.value(z.array(field).min(1).max(MAX_FIELDS)).describe('The values to extract, 1-50.'),
    });
  },
  execute: async ({ settings, ports, call: { signal } }) => {
    const queries = settings.fields.map(({ selector, value, attribute, all }) => ({
      selector,
      value: value ?? ('text' as const),
      attribute: attribute || 'href',
      isList: all ?? false,
    }));
    const values = await ports.html.extract(settings.html ?? '', queries, () => ports.clock.sleep(0, signal));
    const content: JsonObject = {};
    settings.fields.forEach(({ name }, index) => {
      setOwn(content, name, values[index]);
    });
    return { content: JSON.stringify(content) };
  },
});
