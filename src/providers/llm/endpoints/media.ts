import type { MediaRequest, SpeechRecording } from '../../../engine/files/media.js';
import { encodeForm } from '../../../engine/files/multipart.js';
import { isObject, type JsonObject, textOf } from '../../../engine/json-value.js';
import { type ModelAnswer, type ModelRequest, PortError, type Usage } from '../../../engine/ports.js';
import { tryParseJson } from '../../../platform/json/try-parse-json.js';
import { costOf } from '../../prices.js';
import { isCount } from '../chat/chat-format.js';
import type { ProviderProtocol } from '../chat/provider-protocol.js';
import { estimatePromptTokens } from '../estimate-tokens.js';

interface MediaCall {
  provider: string;
  seller?: string | undefined;
  model: string;
  request: ModelRequest;
  media: MediaRequest;
  /** The same for every attempt. */
  key: string;
  baseUrl?: string;
  isOwn?: boolean;
}

/** A request in the format of the provider. */
export interface MediaContent {
  path: string;
  body: string | Buffer;
  headers: Record<string, string>;
}

const TITLES = { image: 'images', speech: 'speech', transcription: 'transcriptions' } as const;
/** Assumed tokens of a created image, of speech for each character, and bytes of a recording for each token. */
const IMAGE_TOKENS = 8_192;
const SPEECH_TOKENS = 2;
const RECORDING_BYTES = 200;

/**
 * Creates an image or speech, or writes down speech. `post` sends the content and returns the bytes of the response. Throws the
 * PortError `bad_request` if the provider has no such API.
 */
export async function createMedia(
  { name, hasMedia }: ProviderProtocol,
  call: MediaCall,
  post: (content: MediaContent) => Promise<Buffer>,
): Promise<ModelAnswer> {
  const { media } = call;
  if (!hasMedia)
    throw new PortError('bad_request', `The provider ${name} has no ${TITLES[media.kind]}.`, { isFinal: true });
  if (media.kind === 'speech') {
    const bytes = await post(speechContent(call));
    return { text: '', bytes, usage: await usageOf(undefined, call) };
  }
  const body: unknown = tryParseJson(
    (await post(media.kind === 'image' ? imageContent(call) : transcriptionContent(call, media.recording))).toString(
      'utf8',
    ),
  );
  const usage = await usageOf(isObject(body) ? body.usage : undefined, call);
  if (media.kind === 'image') return { text: '', bytes: imageOf(body, usage), usage };
  const text = isObject(body) ? body.text : undefined;
  if (typeof text === 'string') return { text: JSON.stringify(body), usage };
  throw new PortError('bad_upstream_answer', 'The model provider responded without a transcription.', { usage });
}

/** The assumed tokens of the response, or of a recording, for the reservation of a call. */
export function assumedTokens({ media, messages }: ModelRequest): { promptTokens: number; completionTokens: number } {
  if (media?.kind === 'image') return { promptTokens: 0, completionTokens: IMAGE_TOKENS };
  if (media?.kind === 'transcription') {
    const tokens = Math.ceil(media.recording.bytes.length / RECORDING_BYTES);
    return { promptTokens: tokens, completionTokens: tokens };
  }
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  return { promptTokens: 0, completionTokens: characters * SPEECH_TOKENS };
}

function promptOf({ messages }: ModelRequest): string {
  return messages.map(({ content }) => content).join('\n');
}

function imageContent({ model, media, request }: MediaCall): MediaContent {
  // The newer models always respond with base64 and reject the parameter.
  const format = /^(?:chat)?gpt-/.test(model) ? {} : { response_format: 'b64_json' };
  const body = { ...media.options, model, prompt: promptOf(request), n: 1, ...format };
  return { path: '/images/generations', body: JSON.stringify(body), headers: {} };
}

function speechContent({ model, media, request }: MediaCall): MediaContent {
  const body = JSON.stringify({ ...media.options, model, input: promptOf(request) });
  return { path: '/audio/speech', body, headers: { accept: '*/*' } };
}

function transcriptionContent({ model, media, request, key }: MediaCall, recording: SpeechRecording): MediaContent {
  const { name, contentType, bytes } = recording;
  const prompt = promptOf(request);
  const fields: JsonObject = { model, ...media.options, ...(prompt === '' ? {} : { prompt }) };
  const parts = Object.entries(fields).map(([member, value]) => ({ name: member, content: textOf(value) }));
  const form = encodeForm([...parts, { name: 'file', content: { bytes, filename: name, contentType } }], key);
  return {
    path: '/audio/transcriptions',
    body: Buffer.from(form.bytes.buffer, form.bytes.byteOffset, form.bytes.length),
    headers: { 'content-type': form.contentType },
  };
}

function imageOf(body: unknown, usage: Usage): Buffer {
  const image: unknown = isObject(body) && Array.isArray(body.data) ? body.data[0] : undefined;
  const encoded = isObject(image) ? image.b64_json : undefined;
  if (typeof encoded === 'string' && encoded !== '') return Buffer.from(encoded, 'base64');
  throw new PortError('bad_upstream_answer', 'The model provider responded without an image in base64.', { usage });
}

/** Models with a price for each image, character or minute report no tokens. Their cost is unknown. */
async function usageOf(reported: unknown, call: MediaCall): Promise<Usage> {
  const { provider, seller = provider, model, baseUrl, request, isOwn } = call;
  const { input_tokens: promptTokens, output_tokens: completionTokens } = isObject(reported) ? reported : {};
  const own = isOwn ? { isOwn: true as const } : {};
  if (!isCount(promptTokens) || !isCount(completionTokens))
    return {
      provider,
      model,
      promptTokens: estimatePromptTokens(request.messages),
      completionTokens: 0,
      costUsd: null,
      ...own,
    };
  const costUsd = await costOf({ provider: seller, model, promptTokens, completionTokens, baseUrl });
  return { provider, model, promptTokens, completionTokens, costUsd, ...own };
}
