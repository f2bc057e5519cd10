import { z } from 'zod';
import { MAX_INTEGER } from '../../../max-integer.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import type { SettingMode } from '../../graph/settings.js';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 50;

const HITS = {
  type: 'array',
  maxItems: MAX_LIMIT,
  items: {
    type: 'object',
    properties: {
      document: { type: 'integer', description: 'Id of the document.' },
      filename: { type: 'string', description: 'Name of its file.' },
      page: { type: ['integer', 'null'], description: 'Page number, from 1.' },
      text: { type: 'string', description: 'Text of the chunk.' },
      score: { type: 'number', description: 'Relevance, higher is better.' },
    },
  },
};
const SAMPLE =
  '[{"document": 3, "filename": "terms.pdf", "page": 2, "text": "Refunds are paid within 14 days.", "score": 0.61}]';

/** Setting of the documents to search, shared by all node kinds that search. */
export const documentIdsSetting = (setting: SettingMode) =>
  setting
    .value(z.array(z.number().int().min(1).max(MAX_INTEGER)).max(1000))
    .nullish()
    .describe(
      'Ids of the documents of the project to search, at most 1000. Default: all documents, also for null and an empty list.',
    );

/** Returns the selected documents. An empty list counts as no selection, because it would find nothing. */
export function documentIdsOf({ document_ids: ids }: { document_ids?: number[] | null }): number[] | null {
  return ids && ids.length > 0 ? ids : null;
}

export const search = nodeKind({
  type: 'search-node',
  nodeType: 'SearchNode',
  title: 'Document search',
  description:
    "Searches the enabled chunks of the project's documents. The content is a JSON array of hits, best first, with `document`, `filename`, `page`, `text` and `score`.",
  category: 'data',
  effects: 'external',
  outputs: oneOutput,
  defaults: { query: '{{ previous.content }}', limit: DEFAULT_LIMIT },
  form: {
    icon: 'search',
    color: '#ca8a04',
    fields: {
      query: { title: 'Search for', widget: 'textarea' },
      document_ids: { title: 'Documents', widget: 'documents', optionsFrom: 'documents' },
      limit: { title: 'Maximum number of hits', widget: 'number' },
    },
    content: { sample: SAMPLE, schema: HITS },
  },
  settings: setting =>
    z.looseObject({
      query: setting
        .text(z.string().refine(text => text.trim() !== '', 'must not be empty'))
        .describe(
          'Words to search for, in any language. After replacing placeholders, only the first 2000 characters are used.',
        ),
      document_ids: documentIdsSetting(setting),
      limit: setting
        .value(z.number().int().min(1).max(MAX_LIMIT))
        .nullish()
        .describe('Maximum number of hits, 1-50. Default 5.'),
    }),
  references: ({ document_ids: value }) => [{ kind: 'document', path: 'document_ids', value }],
  execute: async ({ settings, ports }) => {
    const { query, limit } = settings;
    // The port cuts the query to its first 2000 characters.
    const hits = await ports.search.search({
      query,
      documentIds: documentIdsOf(settings),
      limit: limit ?? DEFAULT_LIMIT,
    });
    return { content: JSON.stringify(hits) };
  },
});
