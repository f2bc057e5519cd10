import { isObject } from '../../../../engine/json-value.js';
import { UnsupportedChatError } from '../../chat/chat-error.js';
import { type ChatBody, type RequestBody, textOf, wantsStream } from '../../chat/chat-format.js';
import { answerLimitMember } from '../completion-parts.js';

/** Members that only a provider with the Messages API can process. */
const UNSUPPORTED = ['container', 'context_management', 'mcp_servers'];
/**
 * Members with the same name and meaning in chat requests. OpenAI refuses `top_k`; compatible servers and the translations to other
 * APIs accept it.
 */
const SAME = ['temperature', 'top_k', 'top_p'];

type Block = Record<string, unknown>;
type Message = Record<string, unknown> & { role: string };

/** Converts a request of the Messages API to a chat request. Throws UnsupportedChatError. */
export function chatBodyOfMessage(body: RequestBody, model: string): ChatBody {
  for (const member of UNSUPPORTED)
    if (hasValue(body[member]) && !isEmptyList(body[member]))
      throw new UnsupportedChatError(member, `${member} requires a provider with the Messages API.`);
  if (isObject(body.thinking) && body.thinking.type !== 'disabled')
    throw new UnsupportedChatError('thinking', 'thinking requires a provider with the Messages API.');
  const { system, messages, stop_sequences: stop, metadata, max_tokens: limit } = body;
  const user = isObject(metadata) ? metadata.user_id : undefined;
  return {
    model,
    messages: [
      ...(hasValue(system) ? [{ role: 'system', content: textOf(system) }] : []),
      ...(messages as readonly Block[]).flatMap((message, index) => messagesOf(message, `messages[${index}]`)),
    ],
    ...answerLimitMember(model, limit),
    ...Object.fromEntries(SAME.filter(name => hasValue(body[name])).map(name => [name, body[name]])),
    // OpenAI refuses an empty list.
    ...(hasValue(stop) && !isEmptyList(stop) && { stop }),
    ...(typeof user === 'string' && { user }),
    ...toolsOf(body),
    ...outputOf(body.output_config),
    ...(wantsStream(body) && { stream: true, stream_options: { include_usage: true } }),
  };
}

const hasValue = (value: unknown) => value !== undefined && value !== null;
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** One message can become several: tool results are messages of their own in chat completions. */
function messagesOf({ role, content }: Block, at: string): Message[] {
  if (!Array.isArray(content)) return [{ role: String(role), content }];
  if (role === 'assistant') return [assistantMessage(content, at)];
  const results: Message[] = [];
  const parts: Block[] = [];
  content.forEach((block: unknown, index) => {
    const place = `${at}.content[${index}]`;
    if (isObject(block) && block.type === 'tool_result') results.push(resultMessage(block, place));
    else parts.push(partOf(block, place, 'tool_result'));
  });
  return [...results, ...(parts.length > 0 ? [{ role: String(role), content: joinBlocks(parts) }] : [])];
}

function assistantMessage(content: readonly unknown[], at: string): Message {
  const calls = content
    .filter(isObject)
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input ?? {}) },
    }));
  const isContent = ({ type }: Block) => type !== 'tool_use' && !String(type).endsWith('thinking');
  const parts = content.flatMap((block, index) =>
    isObject(block) && isContent(block) ? [partOf(block, `${at}.content[${index}]`, 'tool_use')] : [],
  );
  return {
    role: 'assistant',
    content: parts.length === 0 && calls.length > 0 ? null : joinBlocks(parts),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** The content of a tool message has only text. Chat completions have no `is_error`: the text describes the error. */
function resultMessage({ tool_use_id: id, content }: Block, at: string): Message {
  for (const [index, block] of (Array.isArray(content) ? content : []).entries()) {
    const place = `${at}.content[${index}]`;
    if (!isObject(block) || block.type !== 'text')
      throw new UnsupportedChatError(
        place,
        `${place} must be a block of the type text: this provider supports no other type in a tool_result.`,
      );
  }
  return { role: 'tool', tool_call_id: id, content: textOf(content) };
}

/** Texts become one string, which every server accepts. */
function joinBlocks(parts: readonly Block[]): unknown {
  return parts.every(({ type }) => type === 'text') ? parts.map(({ text }) => text).join('') : parts;
}

/** Converts a text or an image. `other` is the other type of blocks that a message of this role can have. */
function partOf(block: unknown, at: string, other: 'tool_result' | 'tool_use'): Block {
  const { type, text, source } = isObject(block) ? block : {};
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  const url = type === 'image' && isObject(source) ? imageUrl(source) : undefined;
  if (url !== undefined) return { type: 'image_url', image_url: { url } };
  throw new UnsupportedChatError(
    at,
    type === 'image'
      ? `${at}.source must be of the type url or base64: this provider supports no other source.`
      : `${at} must be a block of the type text, image or ${other}: this provider supports no other type.`,
  );
}

function imageUrl({ type, url, media_type: mediaType, data }: Block): string | undefined {
  if (type === 'url' && typeof url === 'string') return url;
  return type === 'base64' ? `data:${mediaType};base64,${data}` : undefined;
}

function toolsOf({ tools, tool_choice: choice }: RequestBody): Block {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  const functions = tools.map((tool: unknown, index) => {
    const { type = 'custom', name, description, input_schema: parameters } = isObject(tool) ? tool : {};
    if (type !== 'custom')
      throw new UnsupportedChatError(
        `tools[${index}]`,
        `tools[${index}] must be of the type custom: this provider supports no other tool.`,
      );
    return { type: 'function', function: { name, ...(hasValue(description) && { description }), parameters } };
  });
  return { tools: functions, ...(isObject(choice) && choiceOf(choice)) };
}

function choiceOf({ type, name, disable_parallel_tool_use: isSerial }: Block): Block {
  const choices: Record<string, unknown> = {
    any: 'required',
    none: 'none',
    tool: { type: 'function', function: { name } },
  };
  return { tool_choice: choices[String(type)] ?? 'auto', ...(isSerial === true && { parallel_tool_calls: false }) };
}

/** Converts the effort and the format of the output. */
function outputOf(config: unknown): Block {
  const { effort, format } = isObject(config) ? config : {};
  const schema = isObject(format) ? format.schema : undefined;
  return {
    ...(hasValue(effort) && { reasoning_effort: effort }),
    ...(isObject(schema) && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'output', schema, ...(isStrictSchema(schema) && { strict: true }) },
      },
    }),
  };
}

/**
 * Whether OpenAI accepts the schema with `strict`, which makes the answer conform: each object requires all of its properties and
 * allows no others. The Messages API also takes schemas with optional properties.
 */
function isStrictSchema(schema: Block): boolean {
  // A list instead of recursion, because the depth of the schema is not limited.
  const open: unknown[] = [schema];
  for (const value of open) {
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value) && (isObject(value.properties) || [value.type].flat().includes('object'))) {
      const { properties = {}, required, additionalProperties } = value;
      const names = new Set(Array.isArray(required) ? required : []);
      const areRequired = isObject(properties) && Object.keys(properties).every(name => names.has(name));
      if (additionalProperties !== false || !areRequired) return false;
    }
    for (const member of Object.values(value)) open.push(member);
  }
  return true;
}
