import { isObject } from './json-value.js';
import { type ModelAnswer, type ModelSettings, PortError } from './ports.js';

/** The text of an answer. Tool calls of an answer without a text become the JSON text `{"tool_calls": […]}`. */
export function answerText({ text, toolCalls = [] }: Pick<ModelAnswer, 'text' | 'toolCalls'>): string {
  if (text !== '' || toolCalls.length === 0) return text;
  const calls = toolCalls.map(call => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  return JSON.stringify({ tool_calls: calls });
}

const REASONS = {
  length: 'was cut at the maximum number of tokens; increase max_tokens or shorten the schema',
  content_filter: 'was cut or withheld by the content filter of the provider',
} as const;

/**
 * Throws the PortError `incomplete_answer` if the answer is cut and the settings ask for JSON. A cut text stays usable,
 * cut JSON does not.
 */
export function assertComplete({ usage }: ModelAnswer, { response_format: format }: ModelSettings): void {
  const reason = usage.finishReason;
  if (reason !== 'length' && reason !== 'content_filter') return;
  if (!isObject(format) || (format.type !== 'json_schema' && format.type !== 'json_object')) return;
  throw new PortError(
    'incomplete_answer',
    `the answer does not have the requested response_format: it ${REASONS[reason]} (finish_reason ${reason})`,
    { usage },
  );
}
