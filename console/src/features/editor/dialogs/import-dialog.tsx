import { Button, Group, Modal, SegmentedControl, Stack } from '@mantine/core';
import { useReactFlow } from '@xyflow/react';
import { useState } from 'react';
import { parseGraph } from '@/canvas/graph';
import { GraphInput } from '@/shared/forms/graph-input';
import type { FlowNode } from '../canvas/editor-node';
import type { FlowEdge } from '../canvas/use-flow';
import { centerOf, FIT_VIEW } from '../canvas/viewport';
import type { Editor } from '../use-editor';

/** Time after which the canvas has rendered imported nodes, so that it can show all of them. */
const RENDERING_MS = 50;

/** Reads a graph from pasted text or from a file. */
export function ImportDialog({ isOpen, onClose, editor }: { isOpen: boolean; onClose: () => void; editor: Editor }) {
  const [text, setText] = useState('');
  const [mode, setMode] = useState('replace');
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const parsed = parseGraph(text);
  const close = () => {
    setText('');
    onClose();
  };
  const load = () => {
    if (!parsed) return;
    if (mode === 'add') editor.commands.insert(parsed.graph, centerOf(flow));
    else editor.commands.replace(parsed.graph);
    close();
    setTimeout(() => void flow.fitView(FIT_VIEW), RENDERING_MS);
  };
  return (
    <Modal opened={isOpen} onClose={close} title="Import a graph" size="lg">
      <Stack>
        <GraphInput value={text} onChange={setText} />
        <SegmentedControl
          value={mode}
          onChange={setMode}
          aria-label="What happens to the open graph"
          data={[
            { value: 'replace', label: 'Replace the graph' },
            { value: 'add', label: 'Add to the graph' },
          ]}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button disabled={!parsed} onClick={load}>
            Import
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
