import { Drawer } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router';
import { useReactFlow } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { addCommands } from '@/app/commands';
import { useUnsavedWork } from '@/session/unsaved-work';
import { isObject } from '@/shared/json/json-value';
import { EditorCanvas } from './canvas/editor-canvas';
import { PickerPanel } from './canvas/picker-panel';
import { LeaveDialog, SaveConflictDialog } from './dialogs/editor-dialogs';
import { HelpSheet } from './dialogs/help-sheet';
import { ImportDialog } from './dialogs/import-dialog';
import type { EditorWorkflowQuery } from './editor.generated';
import { ActionsContext, type EditorActions, type EditorView, ViewContext } from './editor-context';
import { Inspector } from './inspector/inspector';
import { nodeOf, scopeOf } from './model/graph';
import type { Kinds } from './model/kinds';
import type { Pins } from './model/partial-run';
import { RunPanel } from './run/run-panel';
import { useRun } from './run/use-run';
import { Toolbar } from './toolbar/toolbar';
import { useCheck } from './use-check';
import { useEditor } from './use-editor';
import { usePins } from './use-pins';
import { useSave } from './use-save';
import { useShortcuts } from './use-shortcuts';

export interface EditorProps {
  workflow: NonNullable<EditorWorkflowQuery['workflow']>;
  kinds: Kinds;
}

/** The canvas of a workflow with its toolbar, and the settings of the selected node or the run next to it. */
export function Editor({ workflow, kinds }: EditorProps) {
  const { id, canEdit, data } = workflow;
  const { node: initialNodeId } = useSearch({ strict: false }) as { node?: string };
  const editor = useEditor(isObject(data) ? data : {}, kinds, initialNodeId === undefined ? [] : [initialNodeId]);
  const { history, root, graph, scope, selected, commands } = editor;
  const { pins, pin } = usePins(id);
  const [runTarget, setRunTarget] = useState<string | null>(null);
  const isDirty = history.present !== history.saved;
  const saving = useSave(id, workflow, commands.markSaved);
  const issues = useCheck(root);
  const runs = useRun(id);
  const [isRunOpen, runPanel] = useDisclosure(false);
  const actions = useMemo(
    (): EditorActions => ({
      ...editor.actions,
      pin,
      runTo: target => {
        editor.actions.select([]);
        runs.clear();
        setRunTarget(target);
        runPanel.open();
      },
    }),
    [editor.actions, pin, runs.clear, runPanel.open],
  );
  const [isHelpOpen, help] = useDisclosure(false);
  const [isImportOpen, importDialog] = useDisclosure(false);
  const results = useResults(workflow, runs.run, pins);
  const [only] = selected;
  const node = selected.length === 1 ? nodeOf(graph, only ?? null) : undefined;
  const save = useCallback(async () => {
    if (!canEdit || (!isDirty && !saving.isConflict)) return saving.revisionNumber;
    return saving.save(root);
  }, [canEdit, isDirty, saving, root]);
  const openRun = useCallback(() => {
    actions.select([]);
    setRunTarget(null);
    runPanel.open();
  }, [actions, runPanel.open]);
  const jumpTo = useCallback(
    (nodeId: string) => {
      const nodeScope = scopeOf(root, nodeId);
      if (nodeScope && nodeScope.join() !== scope.join()) editor.openScope(nodeScope);
      actions.select([nodeId]);
    },
    [root, scope, editor.openScope, actions],
  );
  useSelectionInAddress(node?.id, jumpTo);
  const shortcuts = {
    canEdit,
    save: () => void save(),
    openRun,
    toggleHelp: help.toggle,
  };
  useShortcuts(editor, shortcuts);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  useUnsavedWork(isDirty);
  const { arrange } = commands;
  useEffect(
    () =>
      addCommands([
        ...(canEdit
          ? [
              { id: 'editor-run', label: 'Run this workflow', run: openRun },
              { id: 'editor-import', label: 'Import a graph', run: importDialog.open },
              { id: 'editor-arrange', label: 'Arrange the nodes', run: arrange },
            ]
          : []),
        { id: 'editor-help', label: 'Keys of the editor', run: help.open },
      ]),
    [canEdit, openRun, importDialog.open, arrange, help.open],
  );
  const view = useMemo(
    (): EditorView => ({
      workflowId: id,
      root,
      graph,
      scope,
      kinds,
      issues,
      run: runs.run,
      results,
      pins,
      canEdit,
    }),
    [id, root, graph, scope, kinds, issues, runs.run, results, pins, canEdit],
  );
  const closePanel = () => {
    actions.select([]);
    runPanel.close();
  };
  const panel = node ? (
    <Inspector node={node} onClose={closePanel} />
  ) : isRunOpen ? (
    <RunPanel runs={runs} target={runTarget} save={save} onClose={closePanel} onNode={jumpTo} />
  ) : null;
  return (
    <ActionsContext value={actions}>
      <ViewContext value={view}>
        <Toolbar
          workflow={workflow}
          editor={editor}
          saving={saving}
          isDirty={isDirty}
          save={save}
          onRun={openRun}
          onHelp={help.open}
          onImport={importDialog.open}
          onIssue={jumpTo}
        />
        <div className="editor-body">
          <div className="editor-area">
            <EditorCanvas key={scope.join('/')} selected={selected} />
            {canEdit && <PickerPanel editor={editor} />}
          </div>
          <SidePanel isOpen={panel !== null} onClose={closePanel} title={node ? 'Settings' : 'Run'}>
            {panel}
          </SidePanel>
        </div>
        <HelpSheet isOpen={isHelpOpen} onClose={help.close} />
        <ImportDialog isOpen={isImportOpen} onClose={importDialog.close} editor={editor} />
        <SaveConflictDialog saving={saving} editor={editor} workflowId={id} />
        <LeaveDialog blocker={blocker} save={save} />
      </ViewContext>
    </ActionsContext>
  );
}

interface SidePanelProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: React.ReactNode;
}

/** The settings or the run: next to a wide canvas, else in a drawer over it. */
function SidePanel({ isOpen, onClose, title, children }: SidePanelProps) {
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  if (isWide) return isOpen ? <aside className="editor-side">{children}</aside> : null;
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} position="right" size="min(26rem, 100%)">
      <Drawer.Overlay />
      <Drawer.Content aria-label={title}>
        <Drawer.Body h="100%" p={0}>
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** Results by node id: pinned ones, else of the run that is shown, else of the last one. */
function useResults({ runs }: EditorProps['workflow'], run: ReturnType<typeof useRun>['run'], pins: Pins) {
  return useMemo(() => {
    const last = runs.items[0]?.nodes ?? [];
    const current = run ? [...run.nodes.values()] : [];
    const known = [...last, ...current].flatMap(({ nodeId, content }) =>
      content === null ? [] : [[nodeId, content] as const],
    );
    return new Map([...known, ...pins]);
  }, [runs, run, pins]);
}

/**
 * The address contains the selected node, so that a link opens it. `useEditor` starts with the node of the address
 * selected; this opens the loop that contains it and shows it.
 */
function useSelectionInAddress(nodeId: string | undefined, jumpTo: (nodeId: string) => void) {
  const navigate = useNavigate();
  const { node } = useSearch({ strict: false }) as { node?: string };
  const [initialNodeId] = useState(node);
  const flow = useReactFlow();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address at the opening selects a node.
  useEffect(() => {
    if (initialNodeId === undefined) return;
    jumpTo(initialNodeId);
    void flow.fitView({ nodes: [{ id: initialNodeId }], maxZoom: 1 });
  }, []);
  useEffect(() => {
    void navigate({ to: '.', search: nodeId === undefined ? {} : { node: nodeId }, replace: true });
  }, [nodeId, navigate]);
}
