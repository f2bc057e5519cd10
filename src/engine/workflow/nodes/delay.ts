import { z } from 'zod';
import { nodeKind, oneOutput } from '../graph/node-kind.js';

const THIRTY_DAYS = 30 * 86_400;

export const delay = nodeKind({
  type: 'delay-node',
  nodeType: 'DelayNode',
  title: 'Delay',
  description: 'Waits without occupying a worker. The content is the empty text.',
  category: 'logic',
  effects: 'steps',
  outputs: oneOutput,
  defaults: { seconds: 60 },
  defaultTimeout: null,
  settings: setting =>
    z.looseObject({
      seconds: setting
        .value(z.number().min(0).max(THIRTY_DAYS))
        .describe('Seconds to wait, 0-2592000 (30 days), fractions allowed.'),
    }),
  execute: async ({ settings: { seconds }, steps }) => {
    if (seconds > 0) await steps.delay({ name: 'delay' }, seconds);
    return { content: '' };
  },
});
