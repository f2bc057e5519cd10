import { z } from 'zod';
import type { ModelRequest } from '../../../ports.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import type { SettingMode } from '../../graph/settings.js';
import { callWithFallbacks } from './model-calls.js';
import { cacheField, fallbackField, modelNameField, providerField } from './model-form.js';
import {
  cacheSeconds,
  fallbackModels,
  hasFallbacks,
  modelFaults,
  modelReferences,
  providerName,
} from './model-settings.js';

const MAX_TEXTS = 100;
const MAX_TEXT = 100_000;
const MAX_DIMENSIONS = 4096;

const texts = (setting: SettingMode) => {
  const text = z.string().min(1).max(MAX_TEXT);
  return setting.value(z.union([text, z.array(text).min(1).max(MAX_TEXTS)]));
};

export const embedding = nodeKind({
  type: 'embedding-node',
  nodeType: 'EmbeddingNode',
  title: 'Embeddings',
  description:
    'Converts texts to vectors with an embedding model. Texts with a similar meaning have similar vectors. The content is a JSON object with the vectors.',
  category: 'ai',
  effects: 'external',
  hasSteps: hasFallbacks,
  outputs: oneOutput,
  defaults: { input: '{{ previous.content }}', settings: { model_name: 'echo' } },
  form: {
    icon: 'chart-bar',
    color: '#7c3aed',
    fields: {
      ...modelNameField,
      input: { title: 'Text or texts', widget: 'textarea' },
      dimensions: { title: 'Dimensions', widget: 'number', group: 'model' },
      ...providerField,
      ...cacheField,
      ...fallbackField,
    },
    content: {
      sample: '{"embeddings": [[0.6, 0, 0.8]], "dimensions": 3, "model": "text-embedding-3-small"}',
      schema: {
        type: 'object',
        properties: {
          embeddings: {
            type: 'array',
            description: 'A vector for each text, in the order of the texts.',
            items: { type: 'array', items: { type: 'number' } },
          },
          dimensions: { type: 'integer', description: 'Numbers of each vector.' },
          model: { type: 'string', description: 'Name of the model.' },
        },
      },
    },
  },
  settings: setting =>
    z.looseObject({
      input: texts(setting).describe(
        'The text, or a list of 1-100 texts. Each text has 1-100000 characters; the model may accept fewer.',
      ),
      settings: z
        .looseObject({
          model_name: setting
            .text(z.string().min(1))
            .describe('Name of an embedding model. The built-in model `echo` counts words.'),
        })
        .describe('An embedding model. `echo` counts words and needs no provider.'),
      dimensions: setting
        .value(z.number().int().min(1).max(MAX_DIMENSIONS))
        .nullish()
        .describe('Numbers of each vector, 1-4096, if the model can shorten vectors. Default: that of the model.'),
      provider: providerName(setting),
      fallback_models: fallbackModels(setting),
      cache_seconds: cacheSeconds(setting, 'model, dimensions and texts'),
    }),
  references: modelReferences,
  check: modelFaults,
  execute: async ({ settings: node, ports, call, steps }) => {
    const { input, settings, dimensions, provider } = node;
    const all = typeof input === 'string' ? [input] : input;
    const request: ModelRequest = {
      ...(provider ? { provider } : {}),
      messages: all.map(content => ({ role: 'user', content })),
      settings: { model_name: settings.model_name },
      embedding: dimensions ? { dimensions } : {},
      ...(node.cache_seconds ? { cacheSeconds: node.cache_seconds } : {}),
    };
    const { answer, ...paid } = await callWithFallbacks(
      request,
      node.fallback_models,
      async (each, context) => {
        const { text, usage } = await ports.llm.complete(each, context);
        return { answer: { text, model: usage.model }, usage };
      },
      { call, steps },
    );
    return { content: contentOf(answer.text, answer.model), ...paid };
  },
});

/** `text` is the list of vectors as JSON. */
function contentOf(text: string, model: string): string {
  const embeddings: unknown = JSON.parse(text);
  const [first] = Array.isArray(embeddings) ? embeddings : [];
  const dimensions = Array.isArray(first) ? first.length : 0;
  return JSON.stringify({ embeddings, dimensions, model });
}
