import { z } from 'zod';
import { parseSelectors, SelectorError } from '../../../html/selector.js';
import { isObject, type JsonObject, setOwn } from '../../../json-value.js';
import { PortError } from '../../../ports.js';
import { type KindFault, nodeKind, oneOutput } from '../../graph/node-kind.js';

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
      name: z
        .string()
        .min(1)
        .max(100)
        .describe('Name of the member of the content, 1-100 characters, different in each field.'),
      selector: z
        .string()
        .min(1)
        .max(500)
        .describe(
          'CSS selector, 1-500 characters: types, `#id`, `.class`, `[attribute]`, the combinators space, `>`, `+` and `~`, commas, `:first-child`, `:last-child`, `:only-child`, `:nth-child()`, `:nth-last-child()`, `:nth-of-type()`, `:first-of-type`, `:empty`, `:root` and `:not()`.',
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
  check: ({ fields }) => (Array.isArray(fields) ? fieldFaults(fields) : []),
  execute: async ({ settings, ports, call: { signal } }) => {
    if (new Set(settings.fields.map(({ name }) => name)).size < settings.fields.length)
      throw new PortError('equal_names', 'the names of fields must differ', { isFinal: true });
    const queries = settings.fields.map(({ selector, value, attribute, all }, index) => ({
      selector,
      path: `fields.${index}.selector`,
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

/** Returns the constant names that occur twice and the constant selectors that are not supported. */
function fieldFaults(fields: readonly unknown[]): KindFault[] {
  const names = new Set<string>();
  return fields.flatMap((field, index) => {
    const faults: KindFault[] = [];
    if (!isObject(field)) return faults;
    const { name, selector } = field;
    if (isConstant(name) && names.has(name))
      faults.push({ path: `fields.${index}.name`, message: 'must differ from the names of the other fields' });
    if (isConstant(name)) names.add(name);
    const message = isConstant(selector) ? selectorFault(selector) : null;
    if (message !== null) faults.push({ path: `fields.${index}.selector`, message });
    return faults;
  });
}

function isConstant(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('{{');
}

function selectorFault(selector: string): string | null {
  try {
    parseSelectors(selector);
    return null;
  } catch (error) {
    if (error instanceof SelectorError) return error.message;
    throw error;
  }
}
