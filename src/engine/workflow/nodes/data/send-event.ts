import { z } from 'zod';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import { eventFaults, eventReferences } from './event.js';

export const sendEvent = nodeKind({
  type: 'send-event-node',
  nodeType: 'SendEventNode',
  title: 'Send event',
  description:
    'Sends an event to the project. Waiting runs receive it, and event triggers start runs. The content is the id of the event.',
  category: 'logic',
  effects: 'steps',
  outputs: oneOutput,
  defaults: { event: 'order-paid', correlation_key: '', payload: '{{ previous.content }}' },
  form: {
    icon: 'bell',
    color: '#64748b',
    fields: {
      event: { title: 'Name of the event', widget: 'text' },
      correlation_key: { title: 'Correlation key', widget: 'text' },
      payload: { title: 'Payload', widget: 'json' },
    },
    content: { sample: '0193a6f2-8f6e-7cc1-9d8a-3f5e2c1b7a90' },
  },
  settings: setting =>
    z.looseObject({
      event: setting.text(z.string().min(1).max(200)).describe('Name of the event, 1-200 characters.'),
      correlation_key: setting
        .text(z.string().max(500))
        .nullish()
        .describe(
          'Only waits with this correlation key receive the event; at most 500 characters. Default: the empty text.',
        ),
      payload: z
        .unknown()
        .optional()
        .describe(
          'Any value of at most 262144 characters as JSON. Secrets of the run are masked in it. Default: null.',
        ),
    }),
  references: eventReferences,
  check: eventFaults,
  execute: async ({ settings: { event: name, correlation_key: key, payload }, steps }) => ({
    content: await steps.sendEvent({ name: 'send' }, { name, key: key ?? '', payload: payload ?? null }),
  }),
});
