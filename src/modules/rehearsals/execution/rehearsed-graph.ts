import { isObject, type JsonObject } from '../../../engine/json-value.js';
import { compileGraph, GraphError } from '../../../engine/workflow/graph/graph.js';
import type { Revision } from '../../workflows/revision-store.js';
import type { NodeChange } from '../rehearsal-settings.js';

/** Returns the revision with the change of a node, without storing it; undefined: it has no such node. */
export function withNodeChange(revision: Revision, change: NodeChange): Revision | undefined {
  const data = structuredClone(revision.data);
  const node = findNodeData(data, change.nodeId);
  if (!node) return undefined;
  node.data = changedSettings(isObject(node.data) ? node.data : {}, change);
  return { ...revision, data, graph: compileOrError(data) };
}

/** Finds the node with an id, also in the bodies of loops. */
function findNodeData(value: unknown, id: string): JsonObject | undefined {
  if (Array.isArray(value)) {
    for (const each of value) {
      const found = findNodeData(each, id);
      if (found) return found;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (Array.isArray(value.nodes)) {
    const own = value.nodes.find(node => isObject(node) && node.id === id);
    if (own) return own as JsonObject;
  }
  return findNodeData(Object.values(value), id);
}

function changedSettings(data: JsonObject, { model, prompt, settings }: NodeChange): JsonObject {
  const changed = { ...data, ...(settings ?? {}) };
  if (model != null) changed.settings = { ...(isObject(changed.settings) ? changed.settings : {}), model_name: model };
  return prompt == null ? changed : { ...changed, ...withPrompt(changed, prompt) };
}

/** The prompt of a conversation is its last message; that of other nodes of models is `instructions`. */
function withPrompt({ messages }: JsonObject, prompt: string): JsonObject {
  if (!Array.isArray(messages) || messages.length === 0) return { instructions: prompt };
  const last: unknown = messages.at(-1);
  return { messages: [...messages.slice(0, -1), { ...(isObject(last) ? last : { role: 'user' }), message: prompt }] };
}

function compileOrError(data: unknown): Revision['graph'] {
  try {
    return compileGraph(data);
  } catch (error) {
    if (error instanceof GraphError) return error;
    throw error;
  }
}
