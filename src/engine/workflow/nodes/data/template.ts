import { z } from 'zod';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';

export const template = nodeKind({
  type: 'template-node',
  nodeType: 'TemplateNode',
  title: 'Template',
  description: 'Inserts values into a text. The content is the text.',
  category: 'data',
  effects: 'none',
  outputs: oneOutput,
  defaults: { template: '' },
  isInstant: true,
  form: {
    icon: 'template',
    color: '#ca8a04',
    fields: { template: { title: 'Text', widget: 'textarea' } },
    content: { sample: 'Dear Ms Jones, your order is on its way.' },
  },
  settings: setting =>
    z.looseObject({
      template: setting.text(z.string()).describe('The text, with placeholders such as `{{ input.name | upper }}`.'),
    }),
  execute: ({ settings }) => ({ content: settings.template }),
});
