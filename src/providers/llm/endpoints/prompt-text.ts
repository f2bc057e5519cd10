import { isObject } from '../../../engine/json-value.js';

/** Members of a request that contain prompt text. */
const TEXT_MEMBERS = new Set(['arguments', 'content', 'input', 'output', 'system', 'text', 'thinking']);

/** The texts of a prompt and the definitions of its tools, for counting tokens. Embedded files are left out. */
export function promptTextOf(prompt: readonly unknown[], tools: unknown): string {
  const texts = prompt.flatMap(part => textsIn(part));
  return texts.join('\n') + (Array.isArray(tools) ? JSON.stringify(tools) : '');
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === 'input' && isObject(member)) return [JSON.stringify(member)];
    return TEXT_MEMBERS.has(name) ? textsIn(member) : [];
  });
}
