import { isObject } from '../../../../engine/json-value.js';
import { UnsupportedChatError } from '../../chat/chat-error.js';
import { type ChatBody, type RequestBody, textOf, wantsStream } from '../../chat/chat-format.js';
import { answerLimitMember } from '../completion-parts.js';

/** Members that only a provider with the Messages API can process. */
const UNSUPPORTED = ['container', 'context_management', 'mcp_servers'];
/** Members with the same name and meaning in chat requests. */
const SAME = ['temperature', 'top_k', 'top_p'];

type Block = Record<string, unknown>;
type Message = Record<string, unknown> & { role: string };

/** Converts a request of the Messages API to a chat request. Throws UnsupportedChatError. */
export function chatBodyOfMessage(body: RequestBody, model: string): ChatBody {
  for (const member of UNSUPPORTED)
    if (hasValue(body[member]) && !(Array.isArray(body[member]) && body[member].length === 0))
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
    ...(hasValue(stop) && { stop }),
    ...(typeof user === 'string' && { user }),
    ...toolsOf(body),
    ...outputOf(body.output_config),
    ...(wantsStream(body) && { stream: true, stream_options: { include_usage: true } }),
  };
}

const hasValue = (value: unknown) => value !== undefined && value !== null;

/** One message can become several: tool results are messages of their own in chat completions. */
function messagesOf({ role, content }: Block, at: string): Message[] {
  if (!Array.isArray(content)) return [{ role: String(role), content }];
  if (role === 'assistant') return [assistantMessage(content, at)];
  const results = content
    .filter(isObject)
    .filter(({ type }) => type === 'tool_result')
    .map(resultMessage);
  const parts = content.flatMap((block: unknown, index) =>
    isObject(block) && block.type === 'tool_result' ? [] : [partOf(block, `${at}.content[${index}]`)],
  );
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
    isObject(block) && isContent(block) ? [partOf(block, `${at}.content[${index}]`)] : [],
  );
  return {
    role: 'assistant',
    content: parts.length === 0 && calls.length > 0 ? null : joinBlocks(parts),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function resultMessage({ tool_use_id: id, content }: Block): Message {
  return { role: 'tool', tool_call_id: id, content: textOf(content) };
}

/** Texts become one string, which every server accepts. */
function joinBlocks(parts: readonly Block[]): unknown {
  return parts.every(({ type }) => type === 'text') ? parts.map(({ text }) => text).join('') : parts;
}

function partOf(block: unknown, at: string): Block {
  const { type, text, source } = isObject(block) ? block : {};
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  const url = type === 'image' && isObject(source) ? imageUrl(source) : undefined;
  if (url !== undefined) return { type: 'image_url', image_url: { url } };
  throw new UnsupportedChatError(
    at,
    `${at} must be a block of the type text, image, tool_use or tool_result: this provider supports no other type.`,
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
      response_format: { type: 'json_schema', json_schema: { name: 'output', schema, strict: true } },
    }),
  };
}
