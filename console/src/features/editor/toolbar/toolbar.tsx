import { ActionIcon, Badge, Box, Button, Text, TextInput, Tooltip, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { IconArrowBackUp, IconArrowForwardUp, IconChevronLeft, IconDeviceFloppy, IconPlayerPlay } from '@/icons';
import type { Icon } from '@/shared/icon';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import type { EditorWorkflowQuery } from '../editor.generated';
import type { Editor } from '../use-editor';
import type { SaveControl } from '../use-save';
import { IssueList } from './issue-list';
import { MoreMenu } from './more-menu';

export interface ToolbarProps {
  workflow: NonNullable<EditorWorkflowQuery['workflow']>;
  editor: Editor;
  saving: SaveControl;
  isDirty: boolean;
  /** Returns the number of the saved revision, or null if the graph was not saved. */
  save: () => Promise<number | null>;
  onRun: () => void;
  onHelp: () => void;
  onImport: () => void;
  onIssue: (nodeId: string) => void;
}

/** Title, state of saving, issues and commands of the editor. */
export function Toolbar(props: ToolbarProps) {
  const { workflow, editor, saving, isDirty, save, onRun, onHelp, onImport, onIssue } = props;
  const { commands, history } = editor;
  const { canEdit, project, publishedRevision } = workflow;
  const isDraft = project.usesDrafts && publishedRevision?.number !== saving.revisionNumber;
  return (
    <Box component="header" className="editor-toolbar">
      <Title title={workflow.title} canEdit={canEdit} rename={saving.rename} />
      <SavedState canEdit={canEdit} isDirty={isDirty} savedAt={saving.savedAt} />
      {isDraft && <DraftBadge publishedNumber={publishedRevision?.number ?? null} />}
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
      <MoreMenu
        workflow={workflow}
        editor={editor}
        isDraft={isDraft}
        isDirty={isDirty}
        save={save}
        onImport={onImport}
        onHelp={onHelp}
      />
      {canEdit && (
        <>
          <Button
            variant="default"
            className="editor-save"
            aria-label="Save"
            leftSection={<IconDeviceFloppy size={16} />}
            onClick={() => void save()}
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

interface SavedStateProps {
  canEdit: boolean;
  isDirty: boolean;
  savedAt: string;
}

function SavedState({ canEdit, isDirty, savedAt }: SavedStateProps) {
  return (
    <Text fz="xs" c="dimmed" visibleFrom="sm" style={{ whiteSpace: 'nowrap' }} role="status">
      {!canEdit ? (
        'View only'
      ) : isDirty ? (
        'Not saved'
      ) : (
        <>
          Saved <RelativeTime at={savedAt} />
        </>
      )}
    </Text>
  );
}

/** Marks a saved revision that is not the published one. Its color is set because that of Mantine has too little contrast. */
function DraftBadge({ publishedNumber }: { publishedNumber: number | null }) {
  const usedByRuns =
    publishedNumber === null ? 'No version is published yet.' : `Other runs use version ${publishedNumber}.`;
  return (
    <Tooltip label={`This version is not published. Run uses it. ${usedByRuns}`} multiline w={260}>
      <Badge variant="light" color="yellow" c="light-dark(#713f12, #fef08a)" style={{ flex: 'none' }}>
        Draft
      </Badge>
    </Tooltip>
  );
}

interface ToolProps {
  label: string;
  isOff: boolean;
  onClick: () => void;
  Icon: Icon;
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
