import { z } from 'zod';
import { nodeKind } from '../../graph/node-kind.js';

export const note = nodeKind({
  type: 'note-node',
  nodeType: 'NoteNode',
  title: 'Note',
  description: 'A remark for readers of the graph. It has no connections and never runs.',
  category: 'end',
  effects: 'none',
  outputs: [],
  defaults: { text: '' },
  isInstant: true,
  isVerbatim: true,
  isNote: true,
  form: {
    icon: 'note',
    color: '#ca8a04',
    fields: { text: { title: 'Text', widget: 'textarea' } },
    content: { sample: '' },
  },
  settings: () =>
    z.looseObject({
      text: z
        .string()
        .max(10_000)
        .nullish()
        .describe('Text of the note, Markdown, at most 10000 characters. Default: empty.'),
    }),
  execute: () => ({ content: '' }),
});
