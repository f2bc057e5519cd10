import { isObject, type JsonObject, parseJsonText, textOf } from '../../../engine/json-value.js';
import type { WorkflowRunResult } from '../../workflow-runs/history/workflow-run.inputs.js';

/** Members of the `_meta` objects of this service. */
export const RUN_ID_META = 'scenarium/runId';
export const IDEMPOTENCY_KEY_META = 'scenarium/idempotencyKey';

/** Members that a content block of each type requires (MCP, section "Tool Result"). */
const CONTENT_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};
const MAX_LISTED_NODES = 20;

/** The result of a tool whose run has ended or was refused. An output with valid MCP content is passed on as it is. */
export function toToolResult({ id, status, output, data, error }: WorkflowRunResult): JsonObject {
  const meta = { _meta: { [RUN_ID_META]: id } };
  if (status !== 'succeeded') return { content: [text(faultOf({ status, data, error }))], isError: true, ...meta };
  const value = typeof output === 'string' ? parseJsonText(output) : output;
  if (isObject(value) && isContent(value.content)) {
    const { content, structuredContent, isError } = value;
    return {
      ...{ content, ...(isObject(structuredContent) ? { structuredContent } : {}), ...meta },
      ...(isError === true ? { isError } : {}),
    };
  }
  return { content: [text(output === null ? '' : textOf(output))], ...toStructuredContent(value), ...meta };
}

function toStructuredContent(value: unknown): JsonObject {
  return isObject(value) ? { structuredContent: value } : {};
}

function text(content: string): JsonObject {
  return { type: 'text', text: content };
}

function isContent(content: unknown): boolean {
  return Array.isArray(content) && content.length > 0 && content.every(isContentBlock);
}

function isContentBlock(block: unknown): boolean {
  if (!isObject(block) || typeof block.type !== 'string') return false;
  if (block.type === 'resource') {
    const { resource } = block;
    return isObject(resource) && typeof resource.uri === 'string' && hasOneText(resource, ['text', 'blob']);
  }
  const members = Object.hasOwn(CONTENT_MEMBERS, block.type) ? CONTENT_MEMBERS[block.type] : undefined;
  return members?.every(name => typeof block[name] === 'string') ?? false;
}

function hasOneText(object: JsonObject, names: readonly string[]): boolean {
  return names.some(name => typeof object[name] === 'string');
}

/** Why a run has no output: the error of the run, or the faults of its nodes. */
function faultOf({ status, data, error }: Pick<WorkflowRunResult, 'status' | 'data' | 'error'>): string {
  if (error) return `${error.code}: ${error.message}`;
  const faults = Object.values(isObject(data) ? data : {}).flatMap(faultsOfNode);
  if (faults.length > 0) return faults.slice(0, MAX_LISTED_NODES).join('\n');
  return status === 'expired' ? 'The result of the run is no longer stored.' : `The run is ${status}.`;
}

/** The faults of a node of a refused run: `{result: [{path: message}]}`, or its error. */
function faultsOfNode(entry: unknown): string[] {
  if (!isObject(entry)) return [];
  if (isObject(entry.error)) return [`node ${textOf(entry.id)}: ${textOf(entry.error.message)}`];
  if (!Array.isArray(entry.result)) return [];
  return entry.result
    .filter(isObject)
    .flatMap(fault => Object.entries(fault).map(([path, message]) => `${path}: ${textOf(message)}`));
}
