import { z } from 'zod';
import type { JsonObject } from '../../json-value.js';
import type { NodeOutput } from '../graph/node-kind.js';
import { nodeKinds } from './index.js';

/** A node kind in the response of `get_nodes`. */
export interface ListedNode {
  node_type: string;
  type: string;
  title: string;
  description: string;
  category: string;
  /** JSON Schema (2020-12) of the node's `data`. */
  schema: JsonObject;
  defaults: Readonly<JsonObject>;
  outputs: readonly NodeOutput[];
}

let listing: readonly ListedNode[] | undefined;

/** Returns the response of `get_nodes`. */
export function nodeListing(): readonly ListedNode[] {
  listing ??= nodeKinds.map(kind => ({
    node_type: kind.nodeType,
    type: kind.type,
    title: kind.title,
    description: kind.description,
    category: kind.category,
    schema: z.toJSONSchema(kind.written, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' }),
    defaults: kind.defaults,
    outputs: kind.outputs,
  }));
  return listing;
}
