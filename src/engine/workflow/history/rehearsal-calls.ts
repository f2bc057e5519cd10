import { isObject } from '../../json-value.js';
import type { GraphNode } from '../graph/graph.js';

/** Kinds of calls that a rehearsal makes only if the caller allows them. */
export type RehearsalEffect = 'http' | 'mcp' | 'database';

/** Node kinds that change nothing in other services. Their calls may have a cost. */
const WITHOUT_EFFECT = new Set([
  'basic-node',
  'classifier-node',
  'extractor-node',
  'embedding-node',
  'code-node',
  'search-node',
  'rss-node',
]);

/** Node kinds with effects in other services that a caller can allow. */
const EFFECTS: Readonly<Record<string, RehearsalEffect>> = {
  'graphql-node': 'http',
  'mcp-node': 'mcp',
  'database-node': 'database',
};

/** Safe methods (RFC 9110, section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Returns true if a rehearsal may execute the node. Methods and tools that placeholders select count as unsafe. */
export function mayBeRehearsed({ kind, data }: GraphNode, allowed: ReadonlySet<RehearsalEffect>): boolean {
  if (WITHOUT_EFFECT.has(kind.type)) return true;
  if (kind.type === 'http-node') return isSafeRequest(data) || allowed.has('http');
  if (kind.type === 'agent-node')
    return hasNoApproval(data.approval) && hasNone(data.handoffs) && toolsOf(data.tools).every(mayUseTool(allowed));
  const effect = EFFECTS[kind.type];
  return effect !== undefined && allowed.has(effect);
}

/** Returns true for a method that changes nothing in the other service. */
export function isSafeMethod(method: unknown): boolean {
  return typeof method === 'string' && SAFE_METHODS.has(method.toUpperCase());
}

function isSafeRequest(request: unknown): boolean {
  return isObject(request) && isSafeMethod(request.method ?? 'GET');
}

function hasNoApproval(approval: unknown): boolean {
  return approval === undefined || approval === null || approval === 'never';
}

function hasNone(list: unknown): boolean {
  return (list ?? null) === null || (Array.isArray(list) && list.length === 0);
}

function toolsOf(tools: unknown): readonly unknown[] {
  if (tools === undefined || tools === null) return [];
  return Array.isArray(tools) ? tools : [tools];
}

function mayUseTool(allowed: ReadonlySet<RehearsalEffect>) {
  return (tool: unknown): boolean => {
    if (!isObject(tool)) return false;
    switch (tool.kind) {
      case 'search':
        return true;
      case 'http':
        return isSafeRequest(tool.request) || allowed.has('http');
      case 'mcp':
        return allowed.has('mcp');
      default:
        return false;
    }
  };
}
