import { ActionIcon, Alert, Group, ScrollArea, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { IconX } from '@/icons';
import { countOf } from '@/shared/lists/count';
import { useEditorView } from '../editor-context';
import { findNode, labelOf } from '../model/graph';
import { inputFieldsOf } from '../model/input-fields';
import { graphUpTo } from '../model/partial-run';
import { RunForm } from './run-form';
import { RunResult } from './run-result';
import { StartProblemText } from './start-problem';
import type { RunControl } from './use-run';

export interface RunPanelProps {
  runs: RunControl;
  /** The last node of the run. Null: the whole workflow is run. */
  target: string | null;
  /** Saves the graph. Returns the number of the saved revision, which the run uses, or null if it was not saved. */
  save: () => Promise<number | null>;
  onClose: () => void;
  onNode: (nodeId: string) => void;
}

/** The form of a run next to the canvas, then its result. */
export function RunPanel({ runs, target, save, onClose, onNode }: RunPanelProps) {
  const { run, isStarting, problem, start, clear } = runs;
  const { root, kinds, issues, workflowId, pins } = useEditorView();
  const fields = useMemo(() => inputFieldsOf(root), [root]);
  const errors = issues.filter(({ severity }) => severity === 'ERROR').length;
  const labelOfNode = (nodeId: string) => {
    const node = findNode(root, nodeId);
    return node ? labelOf(node, kinds) : nodeId;
  };
  const submit = async (input: Record<string, unknown>, environment?: string) => {
    const source = target === null ? await save() : graphUpTo(root, kinds, target, pins);
    if (source !== null) await start(input, source, environment);
  };
  return (
    <section className="editor-run-panel" aria-label="Run">
      <Group justify="space-between" px="md" py="sm" style={{ borderBottom: '1px solid var(--console-line)' }}>
        <Title order={2} fz="md">
          {target !== null ? `Run to ${labelOfNode(target)}` : run === null ? 'Run the workflow' : 'Run'}
        </Title>
        <ActionIcon onClick={onClose} aria-label="Close the run">
          <IconX size={17} />
        </ActionIcon>
      </Group>
      <ScrollArea flex={1} type="auto" p="md" style={{ minHeight: 0 }}>
        {run === null && target !== null && (
          <Text fz="sm" c="dimmed" mb="md">
            Only the nodes that lead to it are run, as they are now, without saving. Nodes with a pinned result return
            that result.
          </Text>
        )}
        {run === null && target === null && errors > 0 && (
          <Alert color="yellow" mb="md">
            The graph has {errors === 1 ? 'an error' : countOf(errors, 'error')}, so the service will refuse a run.
          </Alert>
        )}
        {run === null ? (
          <RunForm
            key={fields.map(({ key }) => key).join()}
            workflowId={workflowId}
            fields={fields}
            isBusy={isStarting}
            problem={problem && <StartProblemText problem={problem} labelOf={labelOfNode} onNode={onNode} />}
            submitLabel={target === null ? 'Save and run' : 'Run to this node'}
            onRun={(input, environment) => void submit(input, environment)}
          />
        ) : (
          // A run to a node has no output node: the content of the target stands for the output.
          <RunResult
            run={target === null ? run : { ...run, output: run.nodes.get(target)?.content ?? null }}
            labelOf={labelOfNode}
            onNode={onNode}
            onAgain={clear}
          />
        )}
      </ScrollArea>
    </section>
  );
}
