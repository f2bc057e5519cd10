import type { NodeMember, Reference } from './expression.js';
import type { Args, Content, Scope } from './scope.js';

/** Returns the value of a reference; undefined: none. */
export function resolve({ root, node = '', member, path }: Reference, scope: Scope, args: Args | undefined): unknown {
  switch (root) {
    case 'input':
      return resolveValue({ values: scope.input, declared: scope.declared }, path);
    case 'args':
      return args && resolveValue(args, path);
    case 'vars':
      return resolvePath(scope.variables?.(), path);
    case 'env': {
      const [name = '', ...rest] = path;
      return resolvePath(scope.env?.(name), rest);
    }
    case 'nodes':
      return nodeMember(scope, node, member, path);
    case 'previous':
      return contentMember(scope.previous(), member, path);
    case 'run':
      return runMember(scope, path[0]);
    case 'now':
      return scope.now;
  }
}

function runMember(scope: Scope, name: string | undefined): unknown {
  if (name === 'workflow_id') return scope.workflowId;
  return name === 'started_at' ? scope.startedAt : scope.runId;
}

/** A declared name without a value resolves to the empty text. */
function resolveValue({ values, declared }: Args, path: readonly string[]): unknown {
  const value = resolvePath(values, path);
  return value === undefined && path.length === 1 && declared.has(path[0] ?? '') ? '' : value;
}

function nodeMember(scope: Scope, node: string, member: NodeMember | undefined, path: readonly string[]): unknown {
  switch (member) {
    case 'status':
      if (scope.errorOf?.(node)) return 'failed';
      return scope.node(node) ? 'succeeded' : 'skipped';
    case 'error':
      return resolvePath(scope.errorOf?.(node), path);
    case 'usage':
      return resolvePath(scope.usageOf?.(node), path);
    case 'http_status':
      return scope.responseOf?.(node)?.status ?? scope.errorOf?.(node)?.status ?? null;
    case 'headers':
      return resolvePath(scope.responseOf?.(node)?.headers ?? null, path);
    default:
      return contentMember(scope.node(node), member, path);
  }
}

function contentMember(content: Content | undefined, member: NodeMember | undefined, path: readonly string[]) {
  if (!content) return undefined;
  if (member === 'content') return content.text;
  if (member === 'output' && content.json === undefined) return path.length === 0 ? content.text : undefined;
  return resolvePath(content.json, path);
}

/** Follows own properties only, and only indexes of a list. */
export function resolvePath(from: unknown, path: readonly string[]): unknown {
  let value = from;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && key === 'length') return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
