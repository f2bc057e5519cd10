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

const FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
const MAX_TEXT = 100_000;
const DEFAULT_VOICE = 'alloy';

export const speech = nodeKind({
  type: 'speech-node',
  nodeType: 'SpeechNode',
  title: 'Text to speech',
  description: 'Reads a text aloud with a speech model. The content is the reference of the audio file.',
  category: 'ai',
  effects: 'external',
  hasSteps: hasFallbacks,
  outputs: oneOutput,
  defaults: { text: '{{ previous.content }}', settings: { model_name: 'echo', voice: DEFAULT_VOICE } },
  defaultTimeout: 180,
  form: {
    icon: 'volume',
    color: '#7c3aed',
    fields: {
      ...modelNameField,
      text: { title: 'Text', widget: 'textarea' },
      'settings.voice': { title: 'Voice', widget: 'text', group: 'model' },
      'settings.instructions': { title: 'How to speak', widget: 'textarea', group: 'model' },
      'settings.speed': { title: 'Speed', widget: 'number', group: 'advanced' },
      format: { title: 'Format', widget: 'select', group: 'advanced' },
      ...fileNameField,
      ...mediaAdvancedFields,
    },
    content: {
      sample:
        '{"file_id": "5b0d1c1e-7a52-4d0a-9a5c-3f1f4f0f6a02", "name": "speech.mp3", "content_type": "audio/mpeg", "size": 48210, "sha256": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"}',
      schema: fileContent,
    },
  },
  settings: setting =>
    z.looseObject({
      text: setting
        .text(z.string().min(1).max(MAX_TEXT))
        .describe('The text, 1-100000 characters; the model may accept fewer.'),
      ...mediaModel(setting, 'gpt-4o-mini-tts', {
        voice: setting
          .text(z.string())
          .nullish()
          .describe(`Name of a voice of the provider. Default \`${DEFAULT_VOICE}\`.`),
        instructions: setting
          .text(z.string().max(10_000))
          .nullish()
          .describe('How the text is spoken, for models that follow instructions. Default: none.'),
        speed: setting
          .value(z.number().min(0.25).max(4))
          .nullish()
          .describe('Speed, 0.25-4. Default: that of the model.'),
      }),
      format: setting
        .value(z.enum(FORMATS))
        .nullish()
        .describe('Format of the audio. Default `mp3`; `echo` creates `wav`.'),
      file_name: fileNameMember(setting, 'speech.mp3'),
    }),
  references: modelReferences,
  check: modelFaults,
  execute: ({ settings, ports, call, steps }) => {
    const { text, file_name, fallback_models: fallbackModels } = settings;
    const format = settings.format ?? 'mp3';
    const options = { voice: DEFAULT_VOICE, ...mediaOptions(settings.settings), response_format: format };
    const request = mediaRequest(settings, [text], { kind: 'speech', options });
    return fileOutcome(request, { name: file_name || `speech.${format}`, fallbackModels }, { ports, call, steps });
  },
});
