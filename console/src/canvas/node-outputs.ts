import { isObject, listOf, valueAt } from '@/shared/json/json-value';
import type { CanvasKind } from './use-node-kinds';

/** An output of a node, from which edges start. */
export interface Output {
  /** The `sourceHandle` of its edges. Null for the only output of a node. */
  handle: string | null;
  title: string;
}

/** The outputs of a node whose kind is unknown or has not loaded. */
const SINGLE_OUTPUT: readonly Output[] = [{ handle: null, title: '' }];

/**
 * The outputs of one node. An output with `list`, a member of the data, exists once for each item of that list. The
 * kind has the handle of the first item, such as `case-0`, of which the number is replaced.
 */
export function outputsOf(
  kind: Pick<CanvasKind, 'outputs'> | undefined,
  data: Record<string, unknown>,
): readonly Output[] {
  if (!kind) return SINGLE_OUTPUT;
  return kind.outputs.flatMap(({ handle, title, list, showIf }): readonly Output[] => {
    // Such conditions only refer to members that all kinds have, such as `on_error`. No kind has a default for them.
    if (showIf && !showIf.equals.includes(data[showIf.path])) return [];
    if (handle === null) return SINGLE_OUTPUT;
    if (list === null) return [{ handle, title }];
    return listOf(valueAt(data, list.split('.'))).map((item, index) => ({
      handle: handle.replace(/\d+$/, String(index)),
      title: itemTitle(item) ?? `${title} ${index + 1}`,
    }));
  });
}

/** The title of a list item: the name of a label, or the value that a case compares with. */
function itemTitle(item: unknown): string | null {
  if (!isObject(item)) return null;
  const title = [item.name, item.equals].find(
    value => typeof value === 'number' || (typeof value === 'string' && value !== ''),
  );
  return title === undefined ? null : String(title);
}
