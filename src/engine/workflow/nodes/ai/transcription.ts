import { z } from 'zod';
import { fileIdOfSetting, fileSetting, MAX_READ_BYTES } from '../../../files/reference.js';
import { type ModelRequest, PortError } from '../../../ports.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import { mediaAdvancedFields, mediaModel, mediaOptions, mediaRequest } from './media-settings.js';
import { callWithFallbacks } from './model-calls.js';
import { cacheField, modelNameField } from './model-form.js';
import { cacheSeconds, hasFallbacks, modelFaults, modelReferences } from './model-settings.js';

const RESULTS = ['text', 'segments'] as const;
const AUDIO = /^(?:audio|video)\//;

export const transcription = nodeKind({
  type: 'transcription-node',
  nodeType: 'TranscriptionNode',
  title: 'Speech to text',
  description: 'Writes down the speech of an audio file with a speech model. The content is the text.',
  category: 'ai',
  effects: 'external',
  hasSteps: hasFallbacks,
  outputs: oneOutput,
  defaults: { file: '{{ previous.content }}', settings: { model_name: 'echo' }, result: 'text' },
  defaultTimeout: 180,
  form: {
    icon: 'microphone',
    color: '#7c3aed',
    fields: {
      ...modelNameField,
      file: { title: 'Audio file', widget: 'text' },
      result: { title: 'Result', widget: 'select' },
      'settings.language': { title: 'Language', widget: 'text', group: 'model' },
      'settings.temperature': { title: 'Temperature', widget: 'number', group: 'advanced' },
      prompt: { title: 'Names and words in the speech', widget: 'textarea', group: 'advanced' },
      ...cacheField,
      ...mediaAdvancedFields,
    },
    content: { sample: 'Hello, I would like to change my order.' },
  },
  settings: setting =>
    z.looseObject({
      file: setting
        .value(fileSetting)
        .describe(
          'The audio or video file, at most 16 MiB: a file reference or the id of a file. Another type fails the node with `unsupported_file`.',
        ),
      result: setting
        .value(z.enum(RESULTS))
        .nullish()
        .describe(
          '`text` (default), or `segments`: JSON with `text`, `language`, `duration` and `segments` (`start`, `end`, `text`), for models that have them, such as `whisper-1`.',
        ),
      prompt: setting
        .text(z.string().max(10_000))
        .nullish()
        .describe('Text with names and words that occur in the speech, at most 10000 characters. Default: none.'),
      ...mediaModel(setting, 'gpt-4o-transcribe', {
        language: setting
          .text(z.string())
          .nullish()
          .describe('Language as ISO 639-1, such as `de`. Default: detected.'),
        temperature: setting
          .value(z.number().min(0).max(1))
          .nullish()
          .describe('Sampling temperature, 0-1. Default: 0.'),
      }),
      cache_seconds: cacheSeconds(setting, 'model, settings and recording'),
    }),
  references: modelReferences,
  check: modelFaults,
  execute: async ({ settings, ports, call, steps }) => {
    const { reference, bytes } = await ports.files.read(fileIdOfSetting(settings.file), MAX_READ_BYTES);
    const { name, content_type: contentType } = reference;
    if (!AUDIO.test(contentType) && contentType !== 'application/octet-stream')
      throw new PortError('unsupported_file', `${name} has the type ${contentType}: only audio and video have speech`, {
        isFinal: true,
      });
    const isWithSegments = settings.result === 'segments';
    const options = { ...mediaOptions(settings.settings), response_format: isWithSegments ? 'verbose_json' : 'json' };
    const recording = { name, contentType, bytes };
    const request: ModelRequest = {
      ...mediaRequest(settings, [settings.prompt ?? ''], { kind: 'transcription', options, recording }),
      ...(settings.cache_seconds ? { cacheSeconds: settings.cache_seconds } : {}),
    };
    const { answer, ...paid } = await callWithFallbacks(
      request,
      settings.fallback_models,
      async (each, context) => {
        const { text, usage } = await ports.llm.complete(each, context);
        return { answer: { text }, usage };
      },
      { call, steps },
    );
    const transcript = JSON.parse(answer.text);
    return { content: isWithSegments ? segmentsOf(transcript) : transcript.text, ...paid };
  },
});

interface Transcript {
  text: string;
  language?: string;
  duration?: number;
  segments?: { start: number; end: number; text: string }[];
}

function segmentsOf({ text, language, duration, segments }: Transcript): string {
  return JSON.stringify({
    text,
    language: language ?? null,
    duration: duration ?? null,
    segments: Array.isArray(segments) ? segments.map(({ start, end, text: part }) => ({ start, end, text: part })) : [],
  });
}
