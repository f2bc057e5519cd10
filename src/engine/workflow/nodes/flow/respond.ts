import { z } from 'zod';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';

export const respond = nodeKind({
  type: 'respond-node',
  nodeType: 'RespondNode',
  title: 'Respond',
  description:
    'Answers the call of a webhook while the run continues. The content is the answer as JSON. Without a waiting call it only sets its content.',
  category: 'end',
  effects: 'none',
  outputs: oneOutput,
  defaults: { status: 200 },
  isInstant: true,
  form: {
    icon: 'message-reply',
    color: '#16a34a',
    fields: {
      status: { title: 'Status', widget: 'number' },
      headers: { title: 'Headers', widget: 'key_value' },
      body: { title: 'Body', widget: 'textarea' },
    },
    content: { sample: '{"status":200,"headers":{},"body":{"answer":"In stock."}}' },
  },
  settings: setting =>
    z.looseObject({
      status: setting
        .value(z.number().int().min(200).max(599))
        .nullish()
        .describe('HTTP status of the answer, 200-599. Default: 200.'),
      headers: setting
        .value(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))
        .nullish()
        .describe(
          'Headers of the answer. Those that the server sets, such as `Content-Length` and `Set-Cookie`, are ignored. Default: none.',
        ),
      body: z
        .unknown()
        .optional()
        .describe(
          'Body of the answer: a text, or a value that is sent as JSON. Absent or null: the content of the previous node.',
        ),
    }),
  execute: ({ settings: { status, headers, body }, scope }) => ({
    content: JSON.stringify({
      status: status ?? 200,
      headers: headers ?? {},
      body: body ?? scope.previous()?.json ?? scope.previous()?.text ?? null,
    }),
  }),
});
