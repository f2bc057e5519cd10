import { z } from 'zod';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';

export const sampleItem = nodeKind({
  type: 'sample-item-node',
  nodeType: 'SampleItemNode',
  title: 'Sample item',
  description: 'Writes a text in capital letters. Its content is the text.',
  category: 'data',
  effects: 'none',
  outputs: oneOutput,
  defaults: { text: '' },
  isInstant: true,
  form: {
    icon: 'template',
    color: '#ca8a04',
    fields: { text: { title: 'Text', widget: 'textarea' } },
    content: { sample: 'HELLO' },
  },
  settings: setting =>
    z.looseObject({
      text: setting.text(z.string()).describe('The text, with placeholders such as `{{ input.name }}`.'),
    }),
  execute: ({ settings }) => ({ content: settings.text.toUpperCase() }),
});
