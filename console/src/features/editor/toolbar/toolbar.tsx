import { ActionIcon, Box, Button, Menu, Text, TextInput, Tooltip, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useReactFlow } from '@xyflow/react';
import { useState } from 'react';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBolt,
  IconChevronLeft,
  IconDeviceFloppy,
  IconDots,
  IconDownload,
  IconFileImport,
  IconKeyboard,
  IconLayoutDistributeHorizontal,
  IconNote,
  IconPlayerPlay,
} from '@/icons';
import { downloadFile } from '@/shared/lists/download-file';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import type { FlowNode } from '../canvas/editor-node';
import type { FlowEdge } from '../canvas/use-flow';
import { centerOf } from '../canvas/viewport';
import type { Graph } from '../model/graph';
import type { Editor } from '../use-editor';
import type { SaveControl } from '../use-save';
import { IssueList } from './issue-list';

export interface ToolbarProps {
  workflow: { id: number; title: string; canEdit: boolean };
  editor: Editor;
  saving: SaveControl;
  isDirty: boolean;
  onSave: () => void;
  onRun: () => void;
  onHelp: () => void;
  onImport: () => void;
  onIssue: (nodeId: string) => void;
}

/** Title, state of saving, issues and commands of the editor. */
export function Toolbar(props: ToolbarProps) {
  const { workflow, editor, saving, isDirty, onSave, onRun, onHelp, onImport, onIssue } = props;
  const { commands, history, root } = editor;
  const { canEdit } = workflow;
  return (
    <Box component="header" className="editor-toolbar">
      <Title {...workflow} rename={saving.rename} />
      <Text fz="xs" c="dimmed" visibleFrom="sm" style={{ whiteSpace: 'nowrap' }} role="status">
        {!canEdit ? (
          'View only'
        ) : isDirty ? (
          'Not saved'
        ) : (
          <>
            Saved <RelativeTime at={saving.savedAt} />
          </>
        )}
      </Text>
      <Box flex={1} />
      <IssueList onIssue={onIssue} />
      {canEdit && (
        <>
          <Tool
            label="Undo (Ctrl-Z)"
            isOff={history.past.length === 0}
            onClick={commands.undo}
            Icon={IconArrowBackUp}
          />
          <Tool
            label="Redo (Ctrl-Shift-Z)"
            isOff={history.future.length === 0}
            onClick={commands.redo}
            Icon={IconArrowForwardUp}
          />
        </>
      )}
      <Menu position="bottom-end" shadow="md" withinPortal width={220}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label="More">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
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
          <TriggersItem workflowId={workflow.id} />
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => exportGraph(workflow.title, root)}>
            Export as JSON
          </Menu.Item>
          <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onHelp}>
            Keys
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {canEdit && (
        <>
          <Button
            variant="default"
            className="editor-save"
            aria-label="Save"
            leftSection={<IconDeviceFloppy size={16} />}
            onClick={onSave}
            loading={saving.isSaving}
            disabled={!isDirty}
          >
            Save
          </Button>
          <Button leftSection={<IconPlayerPlay size={16} />} onClick={onRun}>
            Run
          </Button>
        </>
      )}
    </Box>
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

function TriggersItem({ workflowId }: { workflowId: number }) {
  const params = { projectId: String(useProjectId()), workflowId: String(workflowId) };
  return (
    <Menu.Item
      leftSection={<IconBolt size={16} />}
      renderRoot={props => <Link {...props} to="/projects/$projectId/workflows/$workflowId/triggers" params={params} />}
    >
      Triggers
    </Menu.Item>
  );
}

interface ToolProps {
  label: string;
  isOff: boolean;
  onClick: () => void;
  Icon: typeof IconDots;
}

function Tool({ label, isOff, onClick, Icon }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" aria-label={label} disabled={isOff} onClick={onClick} visibleFrom="xs">
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

interface TitleProps {
  title: string;
  canEdit: boolean;
  rename: (title: string) => Promise<boolean>;
}

function Title({ title, canEdit, rename }: TitleProps) {
  const projectId = String(useProjectId());
  const [text, setText] = useState(title);
  const [stored, setStored] = useState(title);
  const commit = async () => {
    const next = text.trim();
    if (next === '' || next === stored) return setText(stored);
    if (await rename(next)) setStored(next);
    else setText(stored);
  };
  return (
    <Box className="editor-heading">
      <Tooltip label="All workflows">
        <ActionIcon
          size="lg"
          aria-label="All workflows"
          renderRoot={props => <Link {...props} to="/projects/$projectId/workflows" params={{ projectId }} />}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden component="h1">{stored}</VisuallyHidden>
      <TextInput
        variant="unstyled"
        className="editor-title"
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onBlur={() => void commit()}
        onKeyDown={event => {
          if (event.key === 'Enter') event.currentTarget.blur();
          if (event.key === 'Escape') setText(stored);
        }}
        aria-label="Title of the workflow"
        maxLength={255}
        disabled={!canEdit}
      />
    </Box>
  );
}

function exportGraph(title: string, graph: Graph): void {
  const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') || 'workflow';
  downloadFile(`${name}.json`, 'application/json', JSON.stringify({ title, data: graph }, null, 2));
}
