import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Group, NumberInput, Popover, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { IconDownload, IconScan, IconSearch, IconTrash } from '@/icons';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { countOf } from '@/shared/lists/count';
import { useSetSearch } from '@/shared/lists/list-search';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import { Chunks } from './chunks';
import { useDeleteDocument } from './document-menu';
import { DocumentDetailDocument, type DocumentDetailQuery, StartRecognitionDocument } from './documents.generated';
import { formatSize } from './format-size';
import { isReading, RecognitionStatus } from './recognition';
import type { ChunkSearchParams } from './routes';

type DocumentDetail = NonNullable<DocumentDetailQuery['document']>;
type RecognitionRun = DocumentDetail['recognitionRuns']['items'][number];

/** A document with its recognition runs and the chunks of the selected one. */
export function DocumentScreen() {
  const { documentId } = useParams({ strict: false }) as { documentId: string };
  const query = useQuery(DocumentDetailDocument, { variables: { id: Number(documentId) } });
  return <QueryView query={query}>{({ document }) => <DocumentView document={document} />}</QueryView>;
}

function DocumentView({ document }: { document: DocumentDetail }) {
  const { filename, contentType, size, createdAt, recognitionRuns, project } = document;
  const { run: runId } = useSearch({ strict: false }) as ChunkSearchParams;
  const runs = recognitionRuns.items;
  const run = runs.find(({ id }) => id === runId) ?? runs[0];
  const description = (
    <>
      {contentType} · {formatSize(size)} · added <RelativeTime at={createdAt} />
    </>
  );
  return (
    <>
      <PageHeader
        title={filename}
        description={description}
        trail={[{ label: 'Documents', link: <DocumentsLink /> }]}
        actions={<DocumentActions document={document} />}
      />
      {run === undefined ? (
        <EmptyState
          icon={IconScan}
          title="Read the text of this file"
          action={project.canEdit && <ReadForm documentId={document.id} isFirst />}
        >
          The text is split into chunks that searches and workflows find.
        </EmptyState>
      ) : (
        <>
          <RunBar runs={runs} run={run} />
          <RunContent key={run.id} run={run} canEdit={project.canEdit} />
        </>
      )}
    </>
  );
}

function DocumentsLink() {
  const params = { projectId: String(useProjectId()) };
  return (
    <Anchor c="inherit" renderRoot={props => <Link {...props} to="/projects/$projectId/documents" params={params} />}>
      Documents
    </Anchor>
  );
}

function DocumentActions({
  document: { id, filename, resultUrl, project, recognitionRuns },
}: {
  document: DocumentDetail;
}) {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const [isDeleting, dialog] = useDisclosure(false);
  const confirmation = useDeleteDocument({
    id,
    filename,
    onDeleted: () => navigate({ to: '/projects/$projectId/documents', params: { projectId } }),
  });
  return (
    <>
      {project.canEdit && (
        <>
          <Button variant="default" leftSection={<IconTrash size={16} />} onClick={dialog.open}>
            Delete
          </Button>
          <ConfirmDialog {...confirmation} isOpen={isDeleting} onClose={dialog.close}>
            {confirmation.text}
          </ConfirmDialog>
        </>
      )}
      <Button component="a" href={resultUrl} download variant="default" leftSection={<IconDownload size={16} />}>
        Download
      </Button>
      {project.canEdit && recognitionRuns.total > 0 && <ReadForm documentId={id} />}
    </>
  );
}

/** Starts a recognition run, with the limits of the service for the size of chunks. `isFirst`: there is no run yet. */
function ReadForm({ documentId, isFirst = false }: { documentId: number; isFirst?: boolean }) {
  const projectId = useProjectId();
  const [isOpen, popover] = useDisclosure(false);
  const setSearch = useSetSearch<ChunkSearchParams>();
  const form = useForm<{ chunkSize: number | string }>({ initialValues: { chunkSize: 500 } });
  const { submit, isBusy, problem } = useFormMutation(StartRecognitionDocument, {
    form,
    refetchQueries: ['DocumentDetail'],
    onDone: () => {
      popover.close();
      setSearch({ run: undefined });
    },
  });
  return (
    <Popover opened={isOpen} onChange={popover.toggle} position="bottom-end" shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <Button leftSection={<IconScan size={16} />} onClick={popover.toggle}>
          {isFirst ? 'Read text' : 'Read again'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown ta="start" maw={300}>
        <form
          onSubmit={form.onSubmit(({ chunkSize }) =>
            submit({ input: { projectId, documentId, chunkSize: Number(chunkSize) } }),
          )}
        >
          <Stack gap="sm">
            <NumberInput
              label="Tokens per chunk"
              description="50 to 8,000. Small chunks are found more precisely, large ones keep more context."
              min={50}
              max={8000}
              step={50}
              allowDecimal={false}
              {...form.getInputProps('chunkSize')}
            />
            {problem !== null && (
              <Text fz="sm" c="red" role="alert">
                {problem}
              </Text>
            )}
            <Button type="submit" loading={isBusy}>
              Start reading
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

function RunBar({ runs, run }: { runs: readonly RecognitionRun[]; run: RecognitionRun }) {
  const setSearch = useSetSearch<ChunkSearchParams>();
  const params = { projectId: String(useProjectId()) };
  const { documentId } = useParams({ strict: false }) as { documentId: string };
  return (
    <Group justify="space-between" mb="md">
      <Group gap="md">
        {runs.length > 1 && (
          <Select
            aria-label="Recognition run"
            size="xs"
            w={210}
            allowDeselect={false}
            data={runs.map(({ id, chunkSize }, index) => ({
              value: String(id),
              label: `${index === 0 ? 'Newest run' : `Run ${id}`}, ${countOf(chunkSize, 'token')}`,
            }))}
            value={String(run.id)}
            onChange={id => setSearch({ run: Number(id) })}
          />
        )}
        <RecognitionStatus run={run} />
        <Text fz="sm" c="dimmed">
          {run.chunkSize.toLocaleString()} tokens per chunk
        </Text>
      </Group>
      <Anchor
        fz="sm"
        renderRoot={props => (
          <Link
            {...props}
            to="/projects/$projectId/documents/search"
            params={params}
            search={{ document: Number(documentId) }}
          />
        )}
      >
        <Group component="span" gap={6} display="inline-flex">
          <IconSearch size={15} />
          Try a search in this file
        </Group>
      </Anchor>
    </Group>
  );
}

function RunContent({ run, canEdit }: { run: RecognitionRun; canEdit: boolean }) {
  if (run.status === 'FAILED')
    return (
      <EmptyState icon={IconScan} title="The text could not be read">
        {run.error ?? 'The run failed.'}
      </EmptyState>
    );
  if (isReading(run.status))
    return (
      <EmptyState icon={IconScan} title="The text is being read">
        {Math.round(run.progress * 100)} % are done. The chunks appear here.
      </EmptyState>
    );
  return <Chunks runId={run.id} canEdit={canEdit} />;
}
