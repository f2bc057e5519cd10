import { useSyncExternalStore } from 'react';

/** Loaded on demand: it is large, and not needed for the first screen. */
export const loadPalette = () => import('./command-palette');

export function openCommandPalette(): void {
  void loadPalette().then(({ openPalette }) => openPalette());
}

export interface Command {
  id: string;
  label: string;
  description?: string;
  keywords?: string;
  run: () => void;
}

let commands: readonly Command[] = [];
const listeners = new Set<() => void>();

/** Adds commands of a screen while it is open, for an effect: `useEffect(() => addCommands([…]), [])`. */
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
