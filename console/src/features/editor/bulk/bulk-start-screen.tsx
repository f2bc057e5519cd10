import { useQuery } from '@apollo/client/react';
import { Alert, Button, FileButton, Group, List, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { IconPlayerPlay, IconUpload } from '@/icons';
import { MONOSPACE_INPUT } from '@/shared/forms/monospace-input';
import { UnsavedGuard } from '@/shared/forms/unsaved-guard';
import { isObject } from '@/shared/json/json-value';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { notifyProblem } from '@/shared/notify';
import { EditorsOnly } from '@/shared/project/editors-only';
import { useProjectId } from '@/shared/project/use-project';
import { type InputField, inputFieldsOf } from '@/shared/run-form/input-fields';
import { RunFormWorkflowDocument } from '../editor.generated';
import { type BulkRow, KEY_COLUMN, MAX_ROWS, parseRows } from './parse-rows';
import { StartedRows } from './started-rows';
import { useBulkStart } from './use-bulk-start';

const MAX_FILE_BYTES = 10 * 1_048_576;

/** Starts up to MAX_ROWS runs of a workflow from pasted or opened rows, and shows the outcome of each. */
export function BulkStartScreen() {
  const { workflowId } = useParams({ strict: false }) as { workflowId: string };
  const id = Number(workflowId);
  const query = useQuery(RunFormWorkflowDocument, { variables: { id } });
  return (
    <QueryView query={query}>
      {({ workflow }) => (workflow ? <BulkStart key={workflow.id} {...workflow} /> : <PageHeader title="Workflow" />)}
    </QueryView>
  );
}

function BulkStart({ id, title, canEdit, data }: { id: number; title: string; canEdit: boolean; data: unknown }) {
  const projectId = String(useProjectId());
  const fields = useMemo(() => inputFieldsOf(isObject(data) ? data : {}), [data]);
  const bulk = useBulkStart(id);
  return (
    <>
      <PageHeader
        title={`Run “${title}” many times`}
        description={`One run for each row, at most ${MAX_ROWS.toLocaleString('en')}. Each row has its own key and outcome.`}
        trail={[
          {
            label: title,
            link: (
              <Link to="/projects/$projectId/workflows/$workflowId" params={{ projectId, workflowId: String(id) }}>
                {title}
              </Link>
            ),
          },
        ]}
      />
      {bulk.problem !== null && (
        <Alert color="red" role="alert" title="Nothing was started" mb="md">
          {bulk.problem}
        </Alert>
      )}
      {!canEdit ? (
        <EditorsOnly action="start runs" />
      ) : bulk.started ? (
        <StartedRows rows={bulk.started} isBusy={bulk.isBusy} onStartMissing={bulk.startMissing} onClear={bulk.clear} />
      ) : (
        <RowsForm fields={fields} isBusy={bulk.isBusy} onStart={bulk.start} />
      )}
    </>
  );
}

interface RowsFormProps {
  fields: readonly InputField[];
  isBusy: boolean;
  onStart: (rows: readonly BulkRow[]) => void;
}

function RowsForm({ fields, isBusy, onStart }: RowsFormProps) {
  const [text, setText] = useState('');
  // A long text is not parsed at every key.
  const [settled] = useDebouncedValue(text, 200);
  const { rows, faults, unknown } = useMemo(() => parseRows(settled, fields), [settled, fields]);
  const open = async (file: File | null) => {
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) notifyProblem('Not opened', new Error('The file is larger than 10 MiB.'));
    else setText(await file.text());
  };
  const example = [...fields.slice(0, 3).map(({ key }) => key), KEY_COLUMN].join(',');
  return (
    <Paper p="lg">
      <UnsavedGuard isDirty={() => text !== ''} subject="the rows" />
      <Stack gap="md">
        <Textarea
          label="Rows"
          description={`CSV whose first line names the input fields, for example ${example}, or a JSON list of inputs. The column ${KEY_COLUMN} is optional.`}
          placeholder={`${example}\n`}
          autosize
          minRows={8}
          maxRows={20}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          styles={MONOSPACE_INPUT}
        />
        {faults.length > 0 && (
          <Alert color="red" role="alert" title="These rows cannot be started">
            <List size="sm">
              {faults.map(fault => (
                <List.Item key={fault}>{fault}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {unknown.length > 0 && (
          <Text fz="sm" c="dimmed">
            Sent, although the workflow has no such input fields: {unknown.slice(0, 10).join(', ')}
          </Text>
        )}
        <Group justify="space-between" gap="xs">
          <FileButton onChange={file => void open(file)} accept=".csv,.tsv,.txt,.json,text/csv,application/json">
            {props => (
              <Button {...props} variant="default" leftSection={<IconUpload size={16} />}>
                Open file
              </Button>
            )}
          </FileButton>
          <Button
            loading={isBusy}
            disabled={rows.length === 0 || faults.length > 0 || settled !== text}
            leftSection={<IconPlayerPlay size={16} />}
            onClick={() => onStart(rows)}
          >
            Start {rows.length} {rows.length === 1 ? 'run' : 'runs'}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
