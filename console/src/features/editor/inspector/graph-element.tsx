import { Button, Group } from '@mantine/core';
import { IconSitemap } from '@/icons';
import { isObject } from '@/shared/json/json-value';
import { countOf } from '@/shared/lists/count';
import { useEditorActions } from '../editor-context';
import { nodesOf } from '../model/graph';
import type { ElementProps } from './field';

/** A button that opens the graph of a loop on the canvas. */
export function GraphElement({ form, value, onChange, describedBy }: ElementProps) {
  const { enterLoop } = useEditorActions();
  const count = isObject(value) ? nodesOf(value).length : 0;
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconSitemap size={16} />}
        onClick={() => enterLoop(form.node.id)}
        disabled={form.isReadOnly && count === 0}
        aria-describedby={describedBy}
      >
        {count === 0 ? 'Build a graph' : `Open the graph (${countOf(count, 'node')})`}
      </Button>
      {value !== undefined && !form.isReadOnly && (
        <Button variant="subtle" color="red" onClick={() => onChange(undefined)}>
          Remove
        </Button>
      )}
    </Group>
  );
}
