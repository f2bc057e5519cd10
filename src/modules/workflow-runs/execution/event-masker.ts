import { isObject } from '../../../engine/json-value.js';
import { maskInput, valueMasker } from '../../../engine/secrets.js';
import { findNode, type Graph } from '../../../engine/workflow/graph/graph.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';

/**
 * Returns a function that masks the secrets of an event. Secrets are masked by value everywhere. The content of a
 * trigger is a complete input and is masked by field, because short secrets are not masked by value.
 */
export function createEventMasker(
  graph: Graph,
  shownInput: Record<string, unknown>,
  secrets: string[],
): (event: RunEvent) => RunEvent {
  if (secrets.length === 0) return event => event;
  const mask = valueMasker(secrets);
  return event => {
    if (event.type !== 'node.succeeded') return mask(event);
    if (event.node === graph.start.id && graph.start.kind.type === 'trigger-node')
      return mask({ ...event, content: JSON.stringify(shownInput) });
    return mask(event.iteration === undefined ? event : { ...event, content: maskIterationInput(graph, event) });
  };
}

/** Returns the content of a node in a loop body. For a trigger, the secret fields of the iteration input are masked. */
function maskIterationInput(graph: Graph, { node: id, content }: { node: string; content: string }): string {
  const body = bodyStartingWith(graph, id);
  const fields = body?.inputFields.filter(field => field.is_secret).map(field => field.id) ?? [];
  if (fields.length === 0) return content;
  const input: unknown = JSON.parse(content);
  return isObject(input) ? JSON.stringify(maskInput(input, fields)) : content;
}

function bodyStartingWith(graph: Graph, id: string): Graph | undefined {
  const node = findNode(graph, id);
  if (node?.kind.type !== 'trigger-node') return undefined;
  const bodies = graph.nodes.flatMap(each => (each.body ? [each.body] : []));
  for (const body of bodies) {
    const match = body.start === node ? body : bodyStartingWith(body, id);
    if (match) return match;
  }
  return undefined;
}
