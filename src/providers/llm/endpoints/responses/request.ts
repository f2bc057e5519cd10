import { isObject } from '../../../../engine/json-value.js';
import { UnsupportedChatError } from '../../chat/chat-error.js';
import { type ChatBody, type RequestBody, textOf, wantsStream } from '../../chat/chat-format.js';
import { answerLimitMember } from '../completion-parts.js';

/** Members that only a provider with the Responses API can process. */
const UNSUPPORTED = ['conversation', 'max_tool_calls', 'previous_response_id', 'prompt'];
/** Members with the same name and meaning in chat completions. */
const SHARED = ['metadata', 'parallel_tool_calls', 'service_tier', 'temperature', 'top_p', 'user'];

/** Converts a request of the Responses API to a chat request. Throws UnsupportedChatError. */
export function chatBodyOfResponse(body: RequestBody, model: string): ChatBody {
  for (const member of UNSUPPORTED)
    if (body[member] !== undefined && body[member] !== null)
      throw new UnsupportedChatError(member, `${member} requires a provider with the Responses API.`);
  const { reasoning, text, max_output_tokens: limit } = body;
  const effort = isObject(reasoning) ? reasoning.effort : undefined;
  return {
    model,
    messages: messagesOf(body),
    ...Object.fromEntries(SHARED.filter(name => hasValue(body[name])).map(name => [name, body[name]])),
    ...answerLimitMember(model, limit),
    ...toolsOf(body),
    ...(isObject(text) && formatOf(text)),
    ...(hasValue(effort) && { reasoning_effort: effort }),
    ...(wantsStream(body) && { stream: true, stream_options: { include_usage: true } }),
  };
}

const hasValue = (value: unknown) => value !== undefined && value !== null;

type Message = Record<string, unknown> & { role: string };

function messagesOf({ instructions, input }: RequestBody): Message[] {
  const messages: Message[] = [];
  if (hasValue(instructions)) messages.push({ role: 'system', content: textOf(instructions) });
  if (!Array.isArray(input)) return [...messages, { role: 'user', content: input }];
  input.forEach((item: unknown, index) => {
    addItem(messages, isObject(item) ? item : {}, `input[${index}]`);
  });
  return messages;
}

function addItem(messages: Message[], item: Record<string, unknown>, at: string): void {
  // Chat completions have no form for the reasoning of earlier turns.
  if (item.type === 'reasoning') return;
  if (item.type === 'function_call') {
    const call = { id: item.call_id, type: 'function', function: { name: item.name, arguments: item.arguments } };
    const last = messages.at(-1);
    // The calls of one turn are one message in chat completions.
    if (last?.role === 'assistant') last.tool_calls = [...((last.tool_calls as object[] | undefined) ?? []), call];
    else messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    return;
  }
  if (item.type === 'function_call_output') {
    messages.push({ role: 'tool', tool_call_id: item.call_id, content: outputText(item.output, `${at}.output`) });
    return;
  }
  if ((item.type !== undefined && item.type !== 'message') || typeof item.role !== 'string')
    throw new UnsupportedChatError(
      at,
      `${at} must be a message, function_call, function_call_output or reasoning: this provider supports no other item.`,
    );
  messages.push({ role: item.role, content: contentOf(item.content, `${at}.content`) });
}

/** Chat completions have only text as the result of a call. */
function outputText(output: unknown, at: string): string {
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) return JSON.stringify(output ?? '');
  const content = contentOf(output, at);
  if (typeof content === 'string') return content;
  throw new UnsupportedChatError(at, `${at} must have only text: this provider supports no other part of an output.`);
}

function contentOf(content: unknown, at: string): unknown {
  if (!Array.isArray(content)) return content;
  const parts = content.map((part: unknown, index) => partOf(isObject(part) ? part : {}, `${at}[${index}]`));
  return parts.every(({ type }) => type === 'text') ? parts.map(({ text }) => text).join('') : parts;
}

function partOf({ type, text, refusal, image_url: url, detail }: Record<string, unknown>, at: string) {
  if ((type === 'input_text' || type === 'output_text' || type === 'text') && typeof text === 'string')
    return { type: 'text', text };
  if (type === 'refusal' && typeof refusal === 'string') return { type: 'text', text: refusal };
  if (type === 'input_image' && typeof url === 'string')
    return { type: 'image_url', image_url: { url, ...(hasValue(detail) && { detail }) } };
  throw new UnsupportedChatError(
    at,
    `${at} must be a part of the type input_text, output_text or input_image with image_url: this provider supports no other type.`,
  );
}

function toolsOf({ tools, tool_choice: choice }: RequestBody): Record<string, unknown> {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  return {
    tools: tools.map((tool: unknown, index) => toolOf(isObject(tool) ? tool : {}, `tools[${index}]`)),
    ...(hasValue(choice) && { tool_choice: choiceOf(choice) }),
  };
}

function toolOf({ type, name, description, parameters, strict }: Record<string, unknown>, at: string): object {
  if (type !== 'function')
    throw new UnsupportedChatError(at, `${at} must be of the type function: this provider supports no other tool.`);
  const optional = { description, parameters, strict };
  const members = Object.entries(optional).filter(([, value]) => hasValue(value));
  return { type, function: { name, ...Object.fromEntries(members) } };
}

function choiceOf(choice: unknown): unknown {
  if (typeof choice === 'string') return choice;
  if (isObject(choice) && choice.type === 'function') return { type: 'function', function: { name: choice.name } };
  throw new UnsupportedChatError('tool_choice', 'tool_choice must be auto, required, none or a named function.');
}

/** Converts `text.format` and `text.verbosity`. */
function formatOf({ format, verbosity }: Record<string, unknown>): Record<string, unknown> {
  const detail = hasValue(verbosity) ? { verbosity } : {};
  if (!isObject(format) || format.type === 'text') return detail;
  if (format.type !== 'json_schema') return { ...detail, response_format: format };
  const { type, ...schema } = format;
  return { ...detail, response_format: { type, json_schema: schema } };
}
