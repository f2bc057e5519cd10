import type { JsonObject } from '../../json-value.js';
import type { FieldForms, NodeForm } from '../graph/node-form.js';
import { errorOutput, type NodeKind, type NodeOutput } from '../graph/node-kind.js';
import { nodeKinds } from './index.js';
import { fieldsOf, titledSchema } from './titled-schema.js';

/** A node kind in the listing. */
export interface ListedNode {
  node_type: string;
  type: string;
  title: string;
  description: string;
  category: NodeKind['category'];
  /** JSON Schema (2020-12) of the node's `data`. */
  schema: JsonObject;
  defaults: Readonly<JsonObject>;
  outputs: readonly NodeOutput[];
  icon: string;
  color: string;
  fields: FieldForms;
  content: NodeForm['content'];
}

let listing: readonly ListedNode[] | undefined;

/** Returns all node kinds with their schemas and forms. */
export function nodeListing(): readonly ListedNode[] {
  listing ??= nodeKinds.map(kind => ({
    node_type: kind.nodeType,
    type: kind.type,
    title: kind.title,
    description: kind.description,
    category: kind.category,
    schema: titledSchema(kind),
    defaults: kind.defaults,
    outputs: [...kind.outputs, errorOutput],
    icon: kind.form.icon,
    color: kind.form.color,
    fields: fieldsOf(kind),
    content: kind.form.content,
  }));
  return listing;
}
