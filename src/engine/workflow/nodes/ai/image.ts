import { z } from 'zod';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import { fileOutcome } from './create-file.js';
import {
  fileContent,
  fileNameField,
  fileNameMember,
  mediaAdvancedFields,
  mediaModel,
  mediaOptions,
  mediaRequest,
} from './media-settings.js';
import { modelNameField } from './model-form.js';
import { hasFallbacks, modelFaults, modelReferences } from './model-settings.js';

const DEFAULT_NAME = 'image.png';
const MAX_PROMPT = 32_000;

export const image = nodeKind({
  type: 'image-node',
  nodeType: 'ImageNode',
  title: 'Image',
  description: 'Creates an image from a description with an image model. The content is the reference of the file.',
  category: 'ai',
  effects: 'external',
  hasSteps: hasFallbacks,
  outputs: oneOutput,
  defaults: { prompt: '{{ previous.content }}', settings: { model_name: 'echo' } },
  defaultTimeout: 180,
  form: {
    icon: 'photo',
    color: '#7c3aed',
    fields: {
      ...modelNameField,
      prompt: { title: 'Description', widget: 'textarea' },
      'settings.size': { title: 'Size', widget: 'text', group: 'model' },
      'settings.quality': { title: 'Quality', widget: 'text', group: 'model' },
      'settings.background': { title: 'Background', widget: 'text', group: 'advanced' },
      'settings.output_format': { title: 'Format', widget: 'text', group: 'advanced' },
      ...fileNameField,
      ...mediaAdvancedFields,
    },
    content: {
      sample:
        '{"file_id": "5b0d1c1e-7a52-4d0a-9a5c-3f1f4f0f6a01", "name": "image.png", "content_type": "image/png", "size": 182044, "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}',
      schema: fileContent,
    },
  },
  settings: setting =>
    z.looseObject({
      prompt: setting
        .text(z.string().min(1).max(MAX_PROMPT))
        .describe('Description of the image, 1-32000 characters; the model may accept fewer.'),
      ...mediaModel(setting, 'gpt-image-1', {
        size: setting
          .text(z.string())
          .nullish()
          .describe('Width and height, such as `1024x1024`. Default: that of the model.'),
        quality: setting
          .text(z.string())
          .nullish()
          .describe('Such as `low`, `medium` or `high`. Default: that of the model.'),
        background: setting
          .text(z.string())
          .nullish()
          .describe('`transparent`, `opaque` or `auto`, for models that have it. Default: that of the model.'),
        output_format: setting
          .text(z.string())
          .nullish()
          .describe('`png`, `jpeg` or `webp`, for models that have it. Default: that of the model.'),
      }),
      file_name: fileNameMember(setting, DEFAULT_NAME),
    }),
  references: modelReferences,
  check: modelFaults,
  execute: ({ settings, ports, call, steps }) => {
    const media = { kind: 'image' as const, options: mediaOptions(settings.settings) };
    const file = { name: settings.file_name || DEFAULT_NAME, fallbackModels: settings.fallback_models };
    return fileOutcome(mediaRequest(settings, [settings.prompt], media), file, { ports, call, steps });
  },
});
