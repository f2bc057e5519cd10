import { z } from 'zod';
import { answerText, assertComplete } from '../../../model-answer.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import { hasMemory, memoryFields, memoryMember, withMemory } from './memory.js';
import { callModel } from './model-calls.js';
import { modelFields } from './model-form.js';
import {
  hasFallbacks,
  modelFaults,
  modelMembers,
  modelReferences,
  modelRequest,
  roleFaults,
} from './model-settings.js';
import { askStructured, OUTPUT_SCHEMA, outputSchema, repairMember, structuredFields } from './structured-answer.js';

export const basic = nodeKind({
  type: 'basic-node',
  nodeType: 'BasicNode',
  title: 'LLM',
  description:
    'Calls a language model. The content is the text of the model, or its tool calls as JSON. With `output_schema` the text is checked JSON.',
  category: 'ai',
  effects: 'external',
  hasSteps: data => (data.output_schema ?? null) !== null || hasFallbacks(data) || hasMemory(data),
  outputs: oneOutput,
  defaults: {
    messages: [{ role: 'user', message: '{{ previous.content }}' }],
    settings: { model_name: 'echo', temperature: 0.7 },
  },
  form: {
    icon: 'message-chatbot',
    color: '#7c3aed',
    fields: { ...modelFields, ...memoryFields, ...structuredFields },
    content: { sample: 'Refunds are paid within 14 days.' },
  },
  settings: setting =>
    z.looseObject({
      ...modelMembers(setting),
      memory: memoryMember(setting),
      output_schema: outputSchema(setting).nullish().describe(`${OUTPUT_SCHEMA} Default: the answer is not checked.`),
      repair: repairMember(setting),
    }),
  references: modelReferences,
  refusals: roleFaults,
  check: modelFaults,
  execute: async ({ settings, ports, call, steps }) => {
    const request = modelRequest(await withMemory({ settings, ports, steps }));
    const { output_schema: schema, repair, fallback_models: fallbacks } = settings;
    const fallbackModels = fallbacks ?? [];
    if (schema) {
      const { text } = await askStructured({ request, schema, repair, fallbackModels }, { ports, steps });
      return { content: text };
    }
    if (fallbackModels.length > 0 || hasMemory(settings)) {
      return { content: answerText(await callModel('model 1', request, fallbackModels, { ports, steps })) };
    }
    const answer = await ports.llm.complete(request, call);
    assertComplete(answer, request.settings);
    return { content: answerText(answer), usage: answer.usage };
  },
});
