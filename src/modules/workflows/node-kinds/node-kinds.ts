import type { FieldForms } from '../../../engine/workflow/graph/node-form.js';
import { nodeListing } from '../../../engine/workflow/nodes/listing.js';
import type { NodeField, NodeKind } from './node-kind.type.js';

let kinds: readonly NodeKind[] | undefined;

/** Returns all node kinds, in the order in which front ends list them. */
export function allNodeKinds(): readonly NodeKind[] {
  kinds ??= nodeListing().map(({ node_type: nodeType, icon, color, fields, content, outputs, ...kind }) => ({
    ...kind,
    nodeType,
    uiHints: { icon, color, fields: toFields(fields) },
    outputs: outputs.map(output => ({ ...output, list: output.list ?? null, showIf: output.showIf ?? null })),
    contentSchema: content.schema ?? null,
    contentSample: content.sample,
    documentation: `docs/nodes.md#${kind.type}`,
  }));
  return kinds;
}

function toFields(fields: FieldForms): NodeField[] {
  return Object.entries(fields).map(([path, { title, widget, group, isSecret, optionsFrom, showIf }]) => ({
    path,
    title,
    widget,
    group: group ?? 'settings',
    isSecret: isSecret ?? false,
    optionsFrom: optionsFrom ?? null,
    showIf: showIf ? { ...showIf } : null,
  }));
}
