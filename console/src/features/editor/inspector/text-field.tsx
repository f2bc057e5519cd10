import { useQuery } from '@apollo/client/react';
import { ActionIcon, Menu, ScrollArea, Skeleton, Text, Tooltip } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { IconBraces } from '@/icons';
import { EditorExpressionsDocument } from '../editor.generated';
import type { Suggestion } from '../model/placeholders';
import type { TextEditorProps } from './code-mirror';

const LazyTextEditor = lazy(async () => ({ default: (await import('./code-mirror')).TextEditor }));

/** A text element with highlighting. It has the size of the element while its code loads. */
export function TextField(props: TextEditorProps) {
  const { data } = useQuery(EditorExpressionsDocument, { fetchPolicy: 'cache-first' });
  const height = { javascript: 190, json: 120, template: props.isSingleLine ? 38 : 92 }[props.language];
  return (
    <Suspense fallback={<Skeleton height={height} radius="md" />}>
      <LazyTextEditor {...props} functions={data?.expressionFunctions ?? []} />
    </Suspense>
  );
}

/** Inserts a value by the mouse or the keyboard, without knowing the syntax of placeholders. */
export function InsertMenu({
  suggestions,
  onInsert,
}: {
  suggestions: readonly Suggestion[];
  onInsert: (placeholder: string) => void;
}) {
  if (suggestions.length === 0) return null;
  return (
    <Menu position="bottom-end" width={300} shadow="md" withinPortal>
      <Menu.Target>
        <Tooltip label="Insert a value">
          <ActionIcon size="sm" aria-label="Insert a value">
            <IconBraces size={15} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={320} type="auto">
          {suggestions.map(({ name, source, sample }) => (
            <Menu.Item key={name} onClick={() => onInsert(`{{ ${name} }}`)}>
              <Text fz="xs" ff="monospace" truncate>
                {name}
              </Text>
              <Text fz="xs" c="dimmed" truncate>
                {sample === null ? source : `${source}: ${sample}`}
              </Text>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
