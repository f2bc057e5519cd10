import { useSyncExternalStore } from 'react';

/** Loads the code of the palette on demand, because it is large and the first screen does not need it. */
export const loadPalette = () => import('./command-palette');

export function openCommandPalette(): void {
  void loadPalette().then(({ openPalette }) => openPalette());
}

/** An entry of the palette that a screen adds while it is open. */
export interface Command {
  id: string;
  label: string;
  description?: string;
  keywords?: string;
  run: () => void;
}

let commands: readonly Command[] = [];
const listeners = new Set<() => void>();

/** Adds commands. Returns the function that removes them, as an effect requires: `useEffect(() => addCommands([…]), [])`. */
export function addCommands(added: readonly Command[]): () => void {
  commands = [...commands, ...added];
  for (const listener of listeners) listener();
  return () => {
    commands = commands.filter(command => !added.includes(command));
    for (const listener of listeners) listener();
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, () => commands);
}
