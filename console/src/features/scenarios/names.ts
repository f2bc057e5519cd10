import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { useProjectId } from '@/shared/project/use-project';
import { ScenarioNamesDocument, type ScenarioNamesQuery } from './scenario-editor.generated';

export type NamedVariable = ScenarioNamesQuery['variables']['items'][number];

/** The variables and messages of the project that placeholders and conditions can refer to. */
export interface Names {
  variables: readonly NamedVariable[];
  messages: readonly { id: number; key: string }[];
}

const NONE: Names = { variables: [], messages: [] };

/** The names of the project. Empty while they load. */
export function useNames(): Names {
  const projectId = useProjectId();
  const { data } = useQuery(ScenarioNamesDocument, { variables: { projectId } });
  return useMemo(() => (data ? { variables: data.variables.items, messages: data.messages.items } : NONE), [data]);
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
