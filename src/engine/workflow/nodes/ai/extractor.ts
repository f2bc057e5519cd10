import { z } from 'zod';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import { sourceFields } from './model-form.js';
import { modelFaults, modelReferences, questionOf, sourceMembers } from './model-settings.js';
import { askStructured, OUTPUT_SCHEMA, outputSchema, repairMember, structuredFields } from './structured-answer.js';

const TASK =
  'Extract the values that the JSON Schema describes from the text of the user. Answer with JSON that conforms to the schema and nothing else. Take values from the text and do not invent any.';

export const extractor = nodeKind({
  type: 'extractor-node',
  nodeType: 'ExtractorNode',
  title: 'Extractor',
  description:
    'Reads values from a text with a language model. The content is JSON that conforms to the JSON Schema of the node.',
  category: 'ai',
  effects: 'steps',
  outputs: oneOutput,
  defaults: {
    text: '{{ previous.content }}',
    output_schema: { type: 'object', properties: {} },
    settings: { model_name: 'echo', temperature: 0 },
  },
  form: {
    icon: 'forms',
    color: '#7c3aed',
    fields: { ...sourceFields, ...structuredFields },
    content: {
      sample: '{"number": "R-17", "total": 42.5}',
      schema: { type: 'object', properties: { number: { type: 'string' }, total: { type: 'number' } } },
    },
  },
  settings: setting =>
    z.looseObject({
      ...sourceMembers(setting),
      output_schema: outputSchema(setting).describe(OUTPUT_SCHEMA),
      repair: repairMember(setting),
    }),
  references: modelReferences,
  check: modelFaults,
  execute: async ({ settings, ports, steps }) => {
    const { output_schema: schema, repair, fallback_models: fallbacks } = settings;
    const request = questionOf(settings, `${TASK}\nThe JSON Schema: ${JSON.stringify(schema)}`);
    const question = { request, schema, repair, fallbackModels: fallbacks ?? [] };
    const { value } = await askStructured(question, { ports, steps });
    return { content: JSON.stringify(value) };
  },
});
