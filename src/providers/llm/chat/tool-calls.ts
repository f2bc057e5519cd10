import { isObject, isShallow } from '../../../engine/json-value.js';
import type { ChatMessage, ModelTool, ToolCall } from '../../../engine/ports.js';
import { storableText } from '../../storable-text.js';

const MAX_ID = 256;

export function chatTool({ name, description, parameters }: ModelTool): object {
  return { type: 'function', function: { name, description, parameters } };
}

/** Converts a message to the chat format. An assistant message with only tool calls has the content null. */
export function chatMessage(message: ChatMessage): object {
  const { role, content, images = [], documents = [], toolCalls, toolCallId } = message;
  if (toolCallId !== undefined) return { role, content, tool_call_id: toolCallId };
  if (images.length + documents.length > 0) {
    const parts = [...images.map(imagePart), ...documents.map(documentPart)];
    return { role, content: [{ type: 'text', text: content }, ...parts] };
  }
  if (!toolCalls || toolCalls.length === 0) return { role, content };
  const calls = toolCalls.map(call => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  return { role, content: content === '' ? null : content, tool_calls: calls };
}

function imagePart(url: string): object {
  return { type: 'image_url', image_url: { url } };
}

function documentPart({ name, url }: { name: string; url: string }): object {
  return { type: 'file', file: { filename: name, file_data: url } };
}

/** Reads the tool calls of a response. Calls without a function name are skipped; missing ids and arguments get defaults. */
export function readToolCalls(calls: unknown): ToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown, index) => {
    const fn = isObject(call) && isObject(call.function) ? call.function : undefined;
    if (!isObject(call) || !fn || typeof fn.name !== 'string' || fn.name === '') return [];
    const isId = typeof call.id === 'string' && call.id !== '' && call.id.length <= MAX_ID;
    const id = isId ? storableText(call.id as string) : `call_${index}`;
    return [{ id, name: storableText(fn.name), arguments: argumentsText(fn.arguments) }];
  });
}

/** Some servers send the arguments as an object instead of its JSON text. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return storableText(value);
  return isObject(value) && isShallow(value) ? storableText(JSON.stringify(value)) : '';
}
