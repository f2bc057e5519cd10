import { chain, type GraphData, type GraphNode, graph, type Json, node, output, trigger } from '../support/graphs.js';

/** Objects in the project of the runs. */
export interface ProjectIds {
  workflow: number;
  /** A workflow that sends its input as the event `reported`, with the id of its run as correlation key. */
  reporting: number;
  /** A workflow that fails. Its error workflow sends the event `handled`, with the id of the failed run as correlation key. */
  failing: number;
  scenario: number;
  /** Id of an uploaded file. */
  file: string;
}

/** The decision of a person about the approval request of a run. */
export interface Decision {
  verdict: 'approve' | 'reject';
  comment?: string;
  edited_arguments?: Json;
}

/** A graph with its input, and the expected output or the code of the expected error. */
export interface GraphCase {
  /** The feature that the graph uses. */
  name: string;
  data: GraphData;
  input?: Json | ((ids: ProjectIds) => Json);
  decision?: Decision;
  /** The output of the run: a text, or the value of its JSON text. */
  output?: unknown;
  /** The code of the error of the failed run. */
  error?: string;
}

/** trigger → nodes → output of the last content. */
export function sequence(name: string, nodes: GraphNode[], expected: unknown, input: Json = {}): GraphCase {
  return { name, data: chain(trigger(), ...nodes, output()), input, output: expected };
}

/** trigger → nodes → output, whose run fails with the code. */
export function failing(name: string, nodes: GraphNode[], error: string, input: Json = {}): GraphCase {
  return { name, data: chain(trigger(), ...nodes, output()), input, error };
}

/** trigger → output of an expression. */
export function expression(text: string, expected: unknown, input: Json = {}): GraphCase {
  return { name: text, data: chain(trigger(), output(`{{ ${text} }}`)), input, output: expected };
}

/** A node with a chosen id, to which edges and expressions refer. */
export const named = (id: string, type: string, data: Json = {}) => node(type, data, id);

/** A graph of nodes with edges `a>b`, or `a:handle>b` for an output with a name. The trigger `t` is added. */
export function wired(nodes: GraphNode[], arrows: string[]): GraphData {
  const all = [named('t', 'trigger-node', { input_fields: [] }), ...nodes];
  const edges = arrows.map((arrow, index) => {
    const [from = '', target = ''] = arrow.split('>');
    const [source = '', handle] = from.split(':');
    return { id: `e${index}`, type: 'custom-edge', source, target, ...(handle ? { sourceHandle: handle } : {}) };
  });
  return graph(all, edges);
}
