import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type RefObject, useRef } from 'react';
import { IconFileUpload, IconScan, IconSearch, IconUpload } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { useSearchText, useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import { DocumentMenu } from './document-menu';
import { DocumentTabs } from './document-tabs';
import { DocumentsDocument, type DocumentsQuery, StartRecognitionDocument } from './documents.generated';
import { CONTENT_TYPES, FileIcon, KIND_LABELS } from './file-kind';
import { formatSize } from './format-size';
import { RecognitionStatus } from './recognition';
import { type DocumentSearchParams, SIZES, TYPES } from './routes';
import { UploadList } from './upload-list';
import { useUploads } from './use-uploads';

type Row = DocumentsQuery['documents']['items'][number];

const PAGE_SIZE = 20;
const MEGABYTE = 1_000_000;
const SIZE_LABELS = { small: 'Up to 1 MB', medium: '1 to 10 MB', large: 'Over 10 MB' } as const;
/** Sizes in bytes; both ends belong to a filter. */
const SIZE_FILTERS = {
  small: { maxSize: MEGABYTE },
  medium: { minSize: MEGABYTE + 1, maxSize: 10 * MEGABYTE },
  large: { minSize: 10 * MEGABYTE + 1 },
} as const;
const ORDER_LABELS = [
  { value: 'CREATED_AT_DESC', label: 'Newest first' },
  { value: 'CREATED_AT_ASC', label: 'Oldest first' },
  { value: 'FILENAME_ASC', label: 'By name' },
  { value: 'SIZE_DESC', label: 'Largest first' },
];

function DocumentLink({ id, ...props }: { id: number }) {
  const params = { projectId: String(useProjectId()), documentId: String(id) };
  return <Link {...props} to="/projects/$projectId/documents/$documentId" params={params} />;
}

function columnsOf(canEdit: boolean): Column<Row>[] {
  return [
    {
      id: 'filename',
      header: 'File',
      cell: ({ id, filename, contentType }) => (
        <Group gap="xs" wrap="nowrap">
          <FileIcon contentType={contentType} />
          <Anchor
            fw={500}
            c="inherit"
            style={{ overflowWrap: 'anywhere' }}
            renderRoot={props => <DocumentLink {...props} id={id} />}
          >
            {filename}
          </Anchor>
        </Group>
      ),
    },
    {
      id: 'text',
      header: 'Text',
      width: '12rem',
      cell: row => <TextCell row={row} canEdit={canEdit} />,
    },
    {
      id: 'size',
      header: 'Size',
      align: 'end',
      isWide: true,
      width: '6rem',
      cell: ({ size }) => <span className="tabular">{formatSize(size)}</span>,
    },
    { id: 'added', header: 'Added', isWide: true, width: '9rem', cell: row => <RelativeTime at={row.createdAt} /> },
    {
      id: 'menu',
      header: '',
      width: '3rem',
      align: 'end',
      cell: row => <DocumentMenu document={row} canEdit={canEdit} />,
    },
  ];
}

function TextCell({ row, canEdit }: { row: Row; canEdit: boolean }) {
  const projectId = useProjectId();
  const start = useAction(StartRecognitionDocument, {
    failure: 'The file could not be read',
    refetchQueries: ['Documents'],
  });
  const [run] = row.recognitionRuns.items;
  if (run !== undefined || !canEdit) return <RecognitionStatus run={run} />;
  const input = { projectId, documentId: row.id };
  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={<IconScan size={14} />}
      loading={start.isBusy}
      onClick={() => void start.run({ input })}
    >
      Read text
    </Button>
  );
}

/** The filter of the API for the choices in the address. */
function filterOf(projectId: number, { q, type, size }: DocumentSearchParams) {
  return {
    projectId,
    ...(q === undefined ? {} : { filenameContains: q }),
    ...(type === undefined ? {} : { contentType: CONTENT_TYPES[type] }),
    ...(size === undefined ? {} : SIZE_FILTERS[size]),
  };
}

/** The documents of the project, with filters, uploads and the state of their recognition. */
export function DocumentsScreen() {
  const projectId = useProjectId();
  const search = useSearch({ strict: false }) as DocumentSearchParams;
  const { page = 1, order = 'CREATED_AT_DESC' } = search;
  const setSearch = useSetSearch<DocumentSearchParams>();
  const navigate = useNavigate();
  const openFiles = useRef<() => void>(null);
  const { uploads, add, dismiss } = useUploads();
  const { data, previousData, error, refetch } = useQuery(DocumentsDocument, {
    variables: { projectId, page, size: PAGE_SIZE, order, filter: filterOf(projectId, search) },
  });
  const shown = shownData({ data, previousData, error });
  const canEdit = shown?.project?.canEdit === true;
  const isFiltered = search.q !== undefined || search.type !== undefined || search.size !== undefined;
  const uploadButton = canEdit && (
    <Button leftSection={<IconUpload size={16} />} onClick={() => openFiles.current?.()}>
      Upload files
    </Button>
  );
  const empty = isFiltered ? (
    <EmptyState icon={IconSearch} title="No file matches the filters">
      Try another word, or show all types and sizes.
    </EmptyState>
  ) : (
    <EmptyState icon={IconFileUpload} title="Add the first file" action={uploadButton}>
      PDF, Word, Excel, PowerPoint, HTML, text and images. Drop files anywhere on this screen; then read their text and
      let workflows search in it.
    </EmptyState>
  );
  return (
    <>
      <PageHeader title="Documents" actions={uploadButton} />
      <DocumentTabs />
      {canEdit && <DropArea openRef={openFiles} onFiles={files => void add(files)} />}
      <Filters search={search} />
      <UploadList uploads={uploads} onDismiss={dismiss} />
      {error && !shown ? (
        <ProblemPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label="Documents"
          columns={columnsOf(canEdit)}
          rows={shown?.documents.items}
          keyOf={({ id }) => id}
          empty={empty}
          onOpen={({ id }) =>
            void navigate({
              to: '/projects/$projectId/documents/$documentId',
              params: { projectId: String(projectId), documentId: String(id) },
            })
          }
          pages={{
            page,
            size: PAGE_SIZE,
            total: shown?.documents.total ?? 0,
            onPage: next => setSearch({ page: next }),
          }}
        />
      )}
    </>
  );
}

function DropArea({ openRef, onFiles }: { openRef: RefObject<(() => void) | null>; onFiles: (files: File[]) => void }) {
  return (
    <>
      {/* The whole screen accepts dropped files; the button opens the file dialog of the browser. */}
      <Dropzone.FullScreen onDrop={onFiles} multiple>
        <Group justify="center" gap="md" mih={220} style={{ pointerEvents: 'none' }}>
          <IconUpload size={40} stroke={1.5} />
          <Text fz="lg">Drop the files to upload them</Text>
        </Group>
      </Dropzone.FullScreen>
      <Dropzone
        openRef={openRef}
        onDrop={onFiles}
        multiple
        style={{ display: 'none' }}
        inputProps={{ 'aria-label': 'Files to upload' }}
      >
        {null}
      </Dropzone>
    </>
  );
}

function Filters({ search: { q, type, size, order } }: { search: DocumentSearchParams }) {
  const setSearch = useSetSearch<DocumentSearchParams>();
  const text = useSearchText(q);
  const options = (values: readonly string[], labels: Record<string, string>) =>
    values.map(value => ({ value, label: labels[value] ?? value }));
  return (
    <Group gap="xs" mb="md">
      <TextInput
        value={text.value}
        onChange={event => text.onChange(event.currentTarget.value)}
        aria-label="Search files"
        placeholder="Search"
        leftSection={<IconSearch size={16} />}
        style={{ flex: '1 1 12rem' }}
        maw={320}
      />
      <Select
        aria-label="Type"
        placeholder="All types"
        clearable
        w={140}
        data={options(TYPES, KIND_LABELS)}
        value={type ?? null}
        onChange={next => setSearch({ type: (next ?? undefined) as DocumentSearchParams['type'] })}
      />
      <Select
        aria-label="Size"
        placeholder="All sizes"
        clearable
        w={140}
        data={options(SIZES, SIZE_LABELS)}
        value={size ?? null}
        onChange={next => setSearch({ size: (next ?? undefined) as DocumentSearchParams['size'] })}
      />
      <Select
        aria-label="Order"
        w={150}
        allowDeselect={false}
        data={ORDER_LABELS}
        value={order ?? 'CREATED_AT_DESC'}
        onChange={next => setSearch({ order: (next ?? undefined) as DocumentSearchParams['order'] })}
      />
    </Group>
  );
}
