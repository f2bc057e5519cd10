import { z } from 'zod';
import { textOf } from '../../../json-value.js';
import { PortError } from '../../../ports.js';
import { CsvError, formatCsv, listsToJson, parseCsv, rowsToJson } from '../../../text/csv.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';

const OPERATIONS = ['parse', 'format'] as const;

export const csv = nodeKind({
  type: 'csv-node',
  nodeType: 'CSVNode',
  title: 'CSV',
  description: 'Converts CSV to a JSON list of rows, or a list of rows to CSV. The content is the result.',
  category: 'data',
  effects: 'none',
  outputs: oneOutput,
  defaults: { operation: 'parse', input: '{{ previous.content }}', delimiter: ',', has_header: true },
  form: {
    icon: 'table',
    color: '#ca8a04',
    fields: {
      operation: { title: 'Operation', widget: 'select' },
      input: { title: 'CSV text or rows', widget: 'textarea' },
      delimiter: { title: 'Delimiter', widget: 'text', group: 'advanced' },
      has_header: { title: 'First row has names', widget: 'switch', group: 'advanced' },
    },
    content: { sample: '[{"name": "Ada", "city": "London"}]', schema: { type: 'array' } },
  },
  settings: setting =>
    z.looseObject({
      operation: setting
        .value(z.enum(OPERATIONS))
        .nullish()
        .describe('`parse` (default): CSV to rows. `format`: rows to CSV.'),
      input: z
        .unknown()
        .optional()
        .describe(
          'For `parse` the CSV text; for `format` a list of objects, lists or values, or its JSON text. At most 1,000,000 cells. Default: the empty text.',
        ),
      delimiter: setting
        .value(z.string().refine(text => /^[^"\r\n]$/.test(text), 'must be one character other than a quote'))
        .nullish()
        .describe('The character between two cells: one, not a quote or line break. Default `,`.'),
      has_header: setting
        .value(z.boolean())
        .nullish()
        .describe(
          'True: the first row has the names of the columns, and rows are objects. False: rows are lists. Default true.',
        ),
    }),
  execute: async ({ settings, ports, call: { signal } }) => {
    const { operation, input, delimiter, has_header } = settings;
    const mark = delimiter ?? ',';
    const hasHeader = has_header ?? true;
    const pause = () => ports.clock.sleep(0, signal);
    try {
      if (operation === 'format') return { content: await formatCsv(rowsOf(input), mark, hasHeader, pause) };
      const rows = await parseCsv(csvOf(input), mark, pause);
      return { content: await (hasHeader ? rowsToJson(rows, pause) : listsToJson(rows, pause)) };
    } catch (error) {
      throw error instanceof CsvError ? new PortError('invalid_csv', error.message, { isFinal: true }) : error;
    }
  },
});

function csvOf(input: unknown): string {
  const isRows = typeof input === 'object' && input !== null;
  if (isRows) throw new CsvError('input must be CSV text; read a file with a file-node, or use the operation format');
  return textOf(input ?? '');
}

function rowsOf(input: unknown): unknown[] {
  let rows = input;
  if (typeof input === 'string') {
    try {
      rows = JSON.parse(input);
    } catch {
      rows = undefined;
    }
  }
  if (Array.isArray(rows)) return rows;
  throw new CsvError('input must be a list of rows, or its JSON text');
}
