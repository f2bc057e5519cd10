import { Kbd, Modal } from '@mantine/core';
import { Fragment } from 'react';

const KEYS: readonly [keys: string, action: string][] = [
  ['N', 'Add a node; with a selected node, after it'],
  ['Shift N', 'Add a note'],
  ['Ctrl Enter', 'Run the workflow'],
  ['Ctrl S', 'Save'],
  ['Tab', 'Next node or link'],
  ['Enter', 'Select the focused node'],
  ['Arrow keys', 'Move the selected nodes'],
  ['Shift + drag', 'Select several nodes'],
  ['Ctrl A', 'Select all nodes'],
  ['Ctrl C, Ctrl X, Ctrl V', 'Copy, cut and paste nodes as JSON, also between windows'],
  ['Ctrl D', 'Duplicate the selected nodes'],
  ['Delete', 'Delete the selected nodes or links'],
  ['Ctrl Z, Ctrl Shift Z', 'Undo and redo'],
  ['L', 'Arrange the nodes'],
  ['1', 'Show the whole graph'],
  ['+, -', 'Zoom'],
  ['Esc', 'Close the list of nodes and clear the selection'],
  ['{{', 'In a text: insert a value'],
  ['?', 'This list'],
];

/** The keys of the editor, which `use-shortcuts.ts` and the canvas handle. */
export function HelpSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keys of the editor">
      <div className="editor-keys">
        {KEYS.map(([keys, action]) => (
          <Fragment key={keys}>
            <span>{action}</span>
            <Kbd style={{ justifySelf: 'end' }}>{keys}</Kbd>
          </Fragment>
        ))}
      </div>
    </Modal>
  );
}
