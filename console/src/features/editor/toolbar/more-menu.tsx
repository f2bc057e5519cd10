import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useReactFlow } from '@xyflow/react';
import { lazy, Suspense, useState } from 'react';
import {
  IconBolt,
  IconDots,
  IconDownload,
  IconFileImport,
  IconHistory,
  IconKeyboard,
  IconLayoutDistributeHorizontal,
  IconNote,
  IconUpload,
} from '@/icons';
import type { Icon } from '@/shared/icon';
import { downloadFile } from '@/shared/lists/download-file';
import { useProjectId } from '@/shared/project/use-project';
import type { FlowNode } from '../canvas/editor-node';
import type { FlowEdge } from '../canvas/use-flow';
import { centerOf } from '../canvas/viewport';
import type { Graph } from '../model/graph';
import type { Editor } from '../use-editor';

const PublishDialog = lazy(() =>
  import('../../versions/publish-dialog').then(module => ({ default: module.PublishDialog })),
);

export interface MoreMenuProps {
  workflow: { id: number; title: string; canEdit: boolean; project: { usesDrafts: boolean } };
  editor: Editor;
  /** Whether the saved revision is not the published one. */
  isDraft: boolean;
  isDirty: boolean;
  save: () => Promise<number | null>;
  onHelp: () => void;
  onImport: () => void;
}

/** The commands of the editor that have no button of their own. */
export function MoreMenu({ workflow, editor, isDraft, isDirty, save, onHelp, onImport }: MoreMenuProps) {
  const { commands, root } = editor;
  const { id, title, canEdit, project } = workflow;
  const [numberToPublish, setNumberToPublish] = useState<number | null>(null);
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal width={220}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label="More">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canEdit && project.usesDrafts && (
            <Menu.Item
              leftSection={<IconUpload size={16} />}
              disabled={!isDraft && !isDirty}
              onClick={() => void save().then(setNumberToPublish)}
            >
              {isDirty ? 'Save and publish…' : 'Publish…'}
            </Menu.Item>
          )}
          {canEdit && (
            <>
              <Menu.Item leftSection={<IconLayoutDistributeHorizontal size={16} />} onClick={commands.arrange}>
                Arrange the nodes
              </Menu.Item>
              <NoteItem addNote={commands.addNote} />
              <Menu.Item leftSection={<IconFileImport size={16} />} onClick={onImport}>
                Import…
              </Menu.Item>
            </>
          )}
          <ScreenItem workflowId={id} screen="versions" label="Versions" Icon={IconHistory} />
          <ScreenItem workflowId={id} screen="triggers" label="Triggers" Icon={IconBolt} />
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => exportGraph(title, root)}>
            Export as JSON
          </Menu.Item>
          <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onHelp}>
            Keys
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {numberToPublish !== null && (
        <Suspense fallback={null}>
          <PublishDialog
            number={numberToPublish}
            workflowId={id}
            refetchQuery="EditorWorkflow"
            onClose={() => setNumberToPublish(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Adds a note in the middle of the visible part of the canvas. */
function NoteItem({ addNote }: { addNote: Editor['commands']['addNote'] }) {
  const flow = useReactFlow<FlowNode, FlowEdge>();
  return (
    <Menu.Item leftSection={<IconNote size={16} />} onClick={() => addNote(centerOf(flow) ?? { x: 0, y: 0 })}>
      Add a note
    </Menu.Item>
  );
}

interface ScreenItemProps {
  workflowId: number;
  screen: 'versions' | 'triggers';
  label: string;
  Icon: Icon;
}

function ScreenItem({ workflowId, screen, label, Icon }: ScreenItemProps) {
  const params = { projectId: String(useProjectId()), workflowId: String(workflowId) };
  return (
    <Menu.Item
      leftSection={<Icon size={16} />}
      renderRoot={props => (
        <Link {...props} to={`/projects/$projectId/workflows/$workflowId/${screen}`} params={params} />
      )}
    >
      {label}
    </Menu.Item>
  );
}

function exportGraph(title: string, graph: Graph): void {
  const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') || 'workflow';
  downloadFile(`${name}.json`, 'application/json', JSON.stringify({ title, data: graph }, null, 2));
}
