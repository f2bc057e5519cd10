import { createContext, useContext } from 'react';
import type { Issue } from '../editor-context';
import type { GraphNode } from '../model/graph';
import type { Kind } from '../model/kinds';
import type { Suggestion } from '../model/placeholders';

/** The selected node, for the elements of its form. */
export interface NodeForm {
  node: GraphNode;
  kind: Kind;
  suggestions: readonly Suggestion[];
  issues: readonly Issue[];
  isReadOnly: boolean;
  /** Sets the value at a path of `data`; undefined removes it. */
  set: (path: readonly string[], value: unknown) => void;
  /** Replaces a list. `mapping` has the new index of each old item, or null. */
  setList: (path: readonly string[], items: readonly unknown[], mapping: readonly (number | null)[]) => void;
}

export const FormContext = createContext<NodeForm | null>(null);

export function useNodeForm(): NodeForm {
  const form = useContext(FormContext);
  if (!form) throw new Error('useNodeForm must be called inside a form');
  return form;
}

/** The messages of the check for a value as one text. `isDeep`: also those for values inside it. Undefined: none. */
export function faultAt(issues: readonly Issue[], path: readonly string[], isDeep: boolean): string | undefined {
  const name = path.join('.');
  const own = issues.filter(issue => issue.path === name || (isDeep && issue.path?.startsWith(`${name}.`)));
  return own.length === 0 ? undefined : own.map(({ message }) => capitalize(message)).join('. ');
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
