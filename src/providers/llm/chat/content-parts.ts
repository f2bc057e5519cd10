import { isObject } from '../../../engine/json-value.js';
import { tryParseJson } from '../../../platform/json/try-parse-json.js';
import { UnsupportedChatError } from './chat-error.js';

/** One part of a message content. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'data'; mediaType: string; base64: string }
  | { kind: 'url'; url: string };

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+);base64,([\w+/=-]*)$/;

/** Parses a message content into parts, for providers with another format. Throws UnsupportedChatError. */
export function partsOf(content: unknown, at: string): Part[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) throw new UnsupportedChatError(at, `${at} must be a string or a list of parts.`);
  return content.map((part: unknown, index) => partOf(part, `${at}[${index}]`));
}

/** Returns the text of a content that may have only text. Throws UnsupportedChatError for other parts. */
export function textPartsOf(content: unknown, at: string): string {
  const texts = partsOf(content, at).map((part, index) => {
    if (part.kind === 'text') return part.text;
    const place = `${at}[${index}]`;
    throw new UnsupportedChatError(
      place,
      `${place} must be a part of the type text: this provider supports no other type.`,
    );
  });
  return texts.join('');
}

function partOf(part: unknown, at: string): Part {
  const { type, text, refusal } = isObject(part) ? part : {};
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text };
  if (type === 'refusal' && typeof refusal === 'string') return { kind: 'text', text: refusal };
  const url = isObject(part) ? urlOf(part) : undefined;
  const data = url === undefined ? undefined : dataPart(url);
  if (data) return data;
  if (type !== 'image_url' || url === undefined)
    throw new UnsupportedChatError(
      at,
      `${at} must be a part of the type text, image_url, or file with file_data: this provider supports no other type.`,
    );
  return { kind: 'url', url };
}

/** The address of an image or the content of a file. */
function urlOf({ type, image_url: image, file }: Record<string, unknown>): string | undefined {
  let url: unknown;
  if (type === 'file' && isObject(file)) url = file.file_data;
  if (type === 'image_url') url = isObject(image) ? image.url : image;
  return typeof url === 'string' ? url : undefined;
}

function dataPart(url: string): Part | undefined {
  const [, mediaType, base64] = dataUrl.exec(url) ?? [];
  return mediaType === undefined ? undefined : { kind: 'data', mediaType, base64: base64 ?? '' };
}

export interface RequestMessage {
  role: string;
  content: unknown;
  /** Path of the content in the request, for error messages. */
  at: string;
  message: Record<string, unknown>;
}

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

/** Parses the messages. Throws UnsupportedChatError for an unknown role. */
export function messagesOf(messages: readonly unknown[]): RequestMessage[] {
  return messages.map((message, index) => {
    const at = `messages[${index}]`;
    if (!isObject(message) || typeof message.role !== 'string' || !roles.has(message.role))
      throw new UnsupportedChatError(at, `${at}.role must be one of ${[...roles].join(', ')}.`);
    return { role: message.role, content: message.content, at: `${at}.content`, message };
  });
}

export interface RequestedFunction {
  name: string;
  description: string | undefined;
  parameters: Record<string, unknown>;
}

/** Parses the functions of a request. Throws UnsupportedChatError for other types of tools. */
export function functionsOf(tools: unknown): RequestedFunction[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) throw new UnsupportedChatError('tools', 'tools must be a list.');
  return tools.map((tool: unknown, index) => {
    const fn = isObject(tool) && isObject(tool.function) ? tool.function : undefined;
    if (!fn || typeof fn.name !== 'string')
      throw new UnsupportedChatError(
        `tools[${index}]`,
        `tools[${index}] must be of the type function and have a name.`,
      );
    const { name, description, parameters } = fn;
    return {
      name,
      description: typeof description === 'string' ? description : undefined,
      parameters: isObject(parameters) ? parameters : { type: 'object', properties: {} },
    };
  });
}

/** Whether the model may, must or must not call tools, or must call the named one. */
export type ToolChoice = 'auto' | 'required' | 'none' | { name: string };

/** Parses `tool_choice`. Default: `auto`. Throws UnsupportedChatError. */
export function toolChoiceOf(value: unknown): ToolChoice {
  if (value === undefined || value === null || value === 'auto') return 'auto';
  if (value === 'required' || value === 'none') return value;
  const name = isObject(value) && isObject(value.function) ? value.function.name : undefined;
  if (typeof name === 'string') return { name };
  throw new UnsupportedChatError('tool_choice', 'tool_choice must be auto, required, none or a named function.');
}

/** Parses the arguments of a call. Values other than JSON objects become an empty object. */
export function argumentsOf(text: unknown): Record<string, unknown> {
  const value = typeof text === 'string' ? tryParseJson(text) : text;
  return isObject(value) ? value : {};
}

/** The requested response format: a JSON object, optionally with a schema; undefined for text. */
export function formatOf(value: unknown): { schema: Record<string, unknown> | undefined } | undefined {
  if (!isObject(value) || value.type === 'text') return undefined;
  if (value.type === 'json_object') return { schema: undefined };
  const schema = isObject(value.json_schema) ? value.json_schema.schema : undefined;
  if (value.type === 'json_schema' && isObject(schema)) return { schema };
  throw new UnsupportedChatError('response_format', 'response_format must be text, json_object or json_schema.');
}

/** Parses `stop`, a text or a list of texts. */
export function stopsOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter(stop => typeof stop === 'string') : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Omits members that are undefined, so that they do not replace members of another object. */
export function definedOf(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
