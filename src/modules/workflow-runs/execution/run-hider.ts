import { isObject } from '../../../engine/json-value.js';
import { maskInput, valueMasker } from '../../../engine/secrets.js';
import { findNode, type Graph } from '../../../engine/workflow/graph/graph.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';

/**
 * What of an event may be written down: secrets hidden by value wherever they turn up, and by field in the content of
 * triggers, which is a whole input (a short secret is masked there, though not by value).
 */
export function hiderOf(
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
    return mask(event.iteration === undefined ? event : { ...event, content: roundInput(graph, event) });
  };
}

/** The content of a node in a loop's body; of a trigger there the round's input with its secret fields masked. */
function roundInput(graph: Graph, { node: id, content }: { node: string; content: string }): string {
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
    const found = body.start === node ? body : bodyStartingWith(body, id);
    if (found) return found;
  }
  return undefined;
}
