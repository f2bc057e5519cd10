import { Text } from '@mantine/core';

/** Replaces a form that a viewer of the project cannot send. `action` completes the sentence, for example "start runs". */
export function EditorsOnly({ action }: { action: string }) {
  return <Text>Editors of the project can {action}.</Text>;
}
