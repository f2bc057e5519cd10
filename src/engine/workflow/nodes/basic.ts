import { z } from 'zod';
import { nodeKind, oneOutput } from '../graph/node-kind.js';
import { modelMembers, modelReferences, modelRequest, unservedModel } from './model-settings.js';

export const basic = nodeKind({
  type: 'basic-node',
  nodeType: 'BasicNode',
  title: 'LLM',
  description: 'Calls a language model. The content is the text of the model.',
  category: 'ai',
  effects: 'outside',
  outputs: oneOutput,
  defaults: {
    messages: [{ role: 'user', message: '{{ previous.content }}' }],
    settings: { model_name: 'echo', temperature: 0.7 },
  },
  settings: setting => z.looseObject(modelMembers(setting)),
  references: modelReferences,
  check: unservedModel,
  execute: async ({ settings, ports, call }) => {
    const answer = await ports.llm.complete(modelRequest(settings), call);
    return { content: answer.text, usage: answer.usage };
  },
});
