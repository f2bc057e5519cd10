import { z } from 'zod';
import { isObject, type JsonObject, parseJsonText } from '../../../json-value.js';
import { type Branch, nodeKind } from '../../graph/node-kind.js';
import { sourceFields } from './model-form.js';
import { modelFaults, modelReferences, questionOf, sourceMembers } from './model-settings.js';
import { askStructured, repairMember, structuredFields } from './structured-answer.js';

const LOW_CONFIDENCE = 'low-confidence';
const MAX_LABELS = 100;
const TASK =
  'Classify the text of the user. Answer with the JSON object {"label", "confidence"} and nothing else: the label that fits best, and how certain it is, from 0 to 1.';

const handleOf = (index: number) => `label-${index}`;

export const classifier = nodeKind({
  type: 'classifier-node',
  nodeType: 'ClassifierNode',
  title: 'Classifier',
  description:
    'Selects one of several labels for a text with a language model and follows the branch of the label. The content is the label and the confidence as JSON.',
  category: 'ai',
  effects: 'steps',
  outputs: [
    {
      handle: 'label-0',
      title: 'Label',
      description: 'One output for each label, numbered from 0: `label-0`, `label-1` and so on.',
      list: 'labels',
    },
    {
      handle: LOW_CONFIDENCE,
      title: 'Low confidence',
      description: 'Followed when the confidence is below `min_confidence`.',
    },
  ],
  defaults: {
    text: '{{ previous.content }}',
    labels: [{ name: 'yes' }, { name: 'no' }],
    settings: { model_name: 'echo', temperature: 0 },
  },
  form: {
    icon: 'tags',
    color: '#7c3aed',
    fields: {
      ...sourceFields,
      labels: { title: 'Labels', widget: 'list' },
      'labels.*.name': { title: 'Name', widget: 'text' },
      'labels.*.description': { title: 'Description', widget: 'textarea' },
      'labels.*.next_nodes': { title: 'Next nodes', widget: 'hidden' },
      min_confidence: { title: 'Minimum confidence', widget: 'number' },
      low_confidence_nodes: { title: 'Next nodes if the confidence is low', widget: 'hidden' },
      repair: structuredFields.repair!,
    },
    content: {
      sample: '{"label": "complaint", "confidence": 0.9}',
      schema: {
        type: 'object',
        properties: { label: { type: 'string' }, confidence: { type: 'number', minimum: 0, maximum: 1 } },
        required: ['label', 'confidence'],
      },
    },
  },
  settings: setting =>
    z.looseObject({
      ...sourceMembers(setting),
      labels: z
        .array(
          z.looseObject({
            name: z.string().min(1).max(200).describe('Name of the label, 1-200 characters, without placeholders.'),
            description: setting
              .text(z.string().max(10_000))
              .nullish()
              .describe('When the label fits, for the model, at most 10000 characters.'),
            next_nodes: z
              .array(z.string())
              .nullish()
              .describe('UUIDs of the next nodes. Absent: the targets of the edges with this label as `sourceHandle`.'),
          }),
        )
        .min(1)
        .max(MAX_LABELS)
        .superRefine((labels, context) => {
          const names = labels.map(({ name }) => name);
          const duplicate = names.findIndex((name, index) => names.indexOf(name) < index);
          if (duplicate !== -1)
            context.addIssue({ code: 'custom', path: [duplicate, 'name'], message: 'must differ from other labels' });
        })
        .describe('The labels, 1-100, each with its own name.'),
      min_confidence: setting
        .value(z.number().min(0).max(1))
        .nullish()
        .describe('Confidence from 0 to 1 below which the output `low-confidence` is followed. Default 0.'),
      low_confidence_nodes: z
        .array(z.string())
        .nullish()
        .describe(
          'UUIDs of the next nodes if the confidence is low. Absent: the targets of the edges with the handle `low-confidence`.',
        ),
      repair: repairMember(setting),
    }),
  branches: data => [
    ...labelsOf(data).map(
      (label, index): Branch => ({
        handle: handleOf(index),
        member: `labels.${index}.next_nodes`,
        targets: isObject(label) ? label.next_nodes : undefined,
      }),
    ),
    { handle: LOW_CONFIDENCE, member: 'low_confidence_nodes', targets: data.low_confidence_nodes },
  ],
  branchOf: (content, data) => {
    const answer = parseJsonText(content);
    const { label, confidence = 1 } = isObject(answer) ? answer : { label: content };
    const index = labelsOf(data).findIndex(each => isObject(each) && each.name === label);
    if (index === -1) return content === LOW_CONFIDENCE ? LOW_CONFIDENCE : undefined;
    const isLow = typeof confidence === 'number' && confidence < Number(data.min_confidence ?? 0);
    return isLow ? LOW_CONFIDENCE : handleOf(index);
  },
  references: modelReferences,
  check: modelFaults,
  execute: async ({ settings, ports, steps }) => {
    const { labels, repair, fallback_models: fallbacks } = settings;
    const list = labels.map(({ name, description }) => ({ name, ...(description ? { description } : {}) }));
    const request = questionOf(settings, `${TASK}\nThe labels: ${JSON.stringify(list)}`);
    const schema = answerSchema(labels.map(({ name }) => name));
    const question = { request, schema, repair, fallbackModels: fallbacks ?? [] };
    const answer = (await askStructured(question, { ports, steps })).value as Answer;
    const index = labels.findIndex(({ name }) => name === answer.label);
    const { label, confidence } = answer;
    const branch = confidence < (settings.min_confidence ?? 0) ? LOW_CONFIDENCE : handleOf(index);
    return { content: JSON.stringify({ label, confidence }), branch };
  },
});

interface Answer {
  label: string;
  confidence: number;
}

function answerSchema(names: readonly string[]): JsonObject {
  return {
    type: 'object',
    properties: {
      label: { type: 'string', enum: names },
      confidence: { type: 'number', minimum: 0, maximum: 1 },
    },
    required: ['label', 'confidence'],
    additionalProperties: false,
  };
}

function labelsOf({ labels }: JsonObject): unknown[] {
  return Array.isArray(labels) ? labels : [];
}
