import { useMemo } from 'react';
import { useWholeList } from '@/shared/lists/whole-list';
import { useProjectId } from '@/shared/project/use-project';
import { NamedMessagesDocument, NamedVariablesDocument, type NamedVariablesQuery } from './scenario-editor.generated';

export type NamedVariable = NamedVariablesQuery['variables']['items'][number];

/** The variables and messages of the project that placeholders and conditions can refer to. */
export interface Names {
  variables: readonly NamedVariable[];
  messages: readonly { id: number; key: string }[];
}

/** The names of the project that have loaded. */
export function useNames(): Names {
  const scope = { variables: { projectId: useProjectId() } };
  const { items: variables } = useWholeList(NamedVariablesDocument, 'variables', scope);
  const { items: messages } = useWholeList(NamedMessagesDocument, 'messages', scope);
  return useMemo(() => ({ variables, messages }), [variables, messages]);
}

/** A placeholder in a prompt: kind, index (from 0), id and, for a variable, the id of a value. docs/scenarios.md describes the syntax. */
export const PLACEHOLDER = /<(variable|message)>\s*(-?\d+)\s*,\s*(\d+)(?:\s*,\s*(\d+))?\s*<\/\1>/g;

/** A placeholder as the editor offers it. */
export interface Placeholder {
  /** The text in the prompt. */
  text: string;
  label: string;
  detail: string;
}

/** More values of a variable would make the list of placeholders too long. */
const MAX_LISTED_VALUES = 50;
const ORDINALS = ['first', 'second', 'third'];

/** All placeholders that may be inserted: for each variable its values by name, and the first result of each message. */
export function placeholdersOf({ variables, messages }: Names): Placeholder[] {
  return [
    ...variables.flatMap(({ id, key, variableNames }) => [
      { text: `<variable>0,${id}</variable>`, label: key, detail: 'first active value' },
      ...variableNames.slice(0, MAX_LISTED_VALUES).map(({ localId, name }) => ({
        text: `<variable>-1,${id},${localId}</variable>`,
        label: `${key} · ${name}`,
        detail: 'this value, in a loop the current one',
      })),
    ]),
    ...messages.map(({ id, key }) => ({ text: `<message>0,${id}</message>`, label: key, detail: 'first result' })),
  ];
}

/** How a placeholder is shown. `isKnown` is false if nothing has its id. */
export function describePlaceholder(names: Names, match: RegExpMatchArray): { label: string; isKnown: boolean } {
  const [, kind, indexText, idText, nameText] = match;
  const index = Number(indexText);
  const ordinal = index <= 0 ? '' : ` · ${ORDINALS[index] ?? `number ${index + 1}`}`;
  if (kind === 'message') {
    const message = names.messages.find(({ id }) => id === Number(idText));
    return { label: `${message?.key ?? `message ${idText}`}${ordinal}`, isKnown: message !== undefined };
  }
  const variable = names.variables.find(({ id }) => id === Number(idText));
  const value = variable?.variableNames.find(({ localId }) => localId === Number(nameText));
  // A negative index refers to the value by its id.
  const part = index < 0 ? ` · ${value?.name ?? nameText}` : ordinal;
  return { label: `${variable?.key ?? `variable ${idText}`}${part}`, isKnown: variable !== undefined };
}
