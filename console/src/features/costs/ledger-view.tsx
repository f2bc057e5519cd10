import { useApolloClient, useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Group, Select, Text, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { IconDownload, IconReceipt } from '@/icons';
import type { TimeRange } from '@/shared/charts/time-range';
import { EmptyState } from '@/shared/layout/empty-state';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { downloadFile } from '@/shared/lists/download-file';
import { useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { Money } from '@/shared/money';
import { notifyProblem, notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import { shortId } from '@/shared/uuid';
import { userName } from './cost-groups';
import type { CostSearch } from './cost-search';
import { ChatLedgerDocument, LedgerDocument, type LedgerRowFragment } from './costs.generated';
import { csvOf, MAX_CSV_ROWS } from './ledger-csv';
import { type CostNames, useCostNames } from './use-cost-names';

const PAGE_SIZE = 25;
const DEBOUNCE_MS = 300;
/** The operation of chat completions. They have no run that a link could open. */
const CHAT = 'chat-completion';

const columnsOf = (names: CostNames): Column<LedgerRowFragment>[] => [
  { id: 'time', header: 'Time', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    id: 'what',
    header: 'Charge',
    cell: ({ description, operation, status, reason }) => (
      <>
        <Group gap="xs" wrap="nowrap">
          <span>{description || operation}</span>
          {status === 'FAILED' && (
            <Badge size="sm" variant="light" color="red">
              Failed
            </Badge>
          )}
        </Group>
        {reason !== '' && (
          <Tooltip label={reason} multiline maw={320}>
            <Text fz="xs" c="dimmed" lineClamp={1} maw={420}>
              {reason}
            </Text>
          </Tooltip>
        )}
      </>
    ),
  },
  {
    id: 'operation',
    header: 'Operation',
    isWide: true,
    cell: ({ operation }) => (
      <Text ff="monospace" fz="xs">
        {operation}
      </Text>
    ),
  },
  {
    id: 'person',
    header: 'Person',
    isWide: true,
    cell: ({ userId }) => personOf(userId, names),
  },
  { id: 'run', header: 'Run', isWide: true, cell: row => <RunCell row={row} /> },
  {
    id: 'tokens',
    header: 'Tokens',
    align: 'end',
    isWide: true,
    cell: ({ usage }) => <span className="tabular">{usage ? usage.totalTokens.toLocaleString('en') : '–'}</span>,
  },
  { id: 'amount', header: 'Amount', align: 'end', cell: ({ amount }) => <Money usd={amount.usd} /> },
];

function personOf(userId: number | null | undefined, names: CostNames): string {
  return userId === null || userId === undefined ? 'Deleted user' : userName(userId, names);
}

function RunCell({ row }: { row: LedgerRowFragment }) {
  const params = { projectId: String(useProjectId()), runId: row.runId };
  if (row.operation === CHAT) return 'Chat';
  return (
    <Anchor
      ff="monospace"
      fz="xs"
      renderRoot={props => <Link {...props} to="/projects/$projectId/runs/$runId" params={params} />}
    >
      {shortId(row.runId)}
    </Anchor>
  );
}

/** The charges of the project in a time range, in pages. The service filters them. They can be saved as a CSV file. */
export function LedgerView({ range, search }: { range: TimeRange; search: CostSearch }) {
  const projectId = useProjectId();
  const setSearch = useSetSearch<CostSearch>();
  const { page = 1, source, status, operation } = search;
  const isFiltered = status !== undefined || operation !== undefined || source !== undefined;
  const document = source === 'chat' ? ChatLedgerDocument : LedgerDocument;
  const filter = {
    createdAfter: range.from.toISOString(),
    createdBefore: range.to.toISOString(),
    ...(status ? { status } : {}),
    ...(operation ? { operation } : {}),
  };
  const names = useCostNames();
  const { data, previousData, error, refetch } = useQuery(document, {
    variables: { projectId, filter, page, size: PAGE_SIZE },
  });
  const list = shownData({ data, previousData, error })?.transactions;
  return (
    <>
      <Group mb="md" gap="sm" align="flex-end">
        <Select
          aria-label="Source"
          w={150}
          data={[
            { value: 'all', label: 'All charges' },
            { value: 'chat', label: 'Chat only' },
          ]}
          value={source ?? 'all'}
          allowDeselect={false}
          onChange={value => setSearch({ source: value === 'chat' ? 'chat' : undefined })}
        />
        <Select
          aria-label="Status"
          w={130}
          placeholder="Any status"
          clearable
          clearButtonProps={{ 'aria-label': 'Any status' }}
          data={[
            { value: 'SUCCEEDED', label: 'Succeeded' },
            { value: 'FAILED', label: 'Failed' },
          ]}
          value={status ?? null}
          onChange={value => setSearch({ status: (value as CostSearch['status'] | null) ?? undefined })}
        />
        {source !== 'chat' && <OperationFilter value={operation} />}
        <CsvButton document={document} variables={{ projectId, filter }} names={names} />
      </Group>
      <DataTable
        query={{ error, refetch }}
        label="Ledger"
        columns={columnsOf(names)}
        rows={list?.items}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={IconReceipt} title={isFiltered ? 'No charge matches' : 'No charges in this time'}>
            {isFiltered
              ? 'Change the filters or the time range.'
              : 'Every run of a node and every chat writes a row here.'}
          </EmptyState>
        }
        pages={{ page, size: PAGE_SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
      />
    </>
  );
}

function OperationFilter({ value }: { value: string | undefined }) {
  const [text, setText] = useState(value ?? '');
  const setSearch = useSetSearch<CostSearch>();
  const apply = useDebouncedCallback((operation: string) => setSearch({ operation }), DEBOUNCE_MS);
  return (
    <TextInput
      aria-label="Operation"
      placeholder="Operation, such as basic-node"
      w={230}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value.trim());
      }}
    />
  );
}

interface CsvButtonProps {
  document: typeof LedgerDocument | typeof ChatLedgerDocument;
  variables: { projectId: number; filter: object };
  names: CostNames;
}

/** Rows of one request: the largest page of the API. */
const CSV_PAGE = 100;

function CsvButton({ document, variables, names }: CsvButtonProps) {
  const client = useApolloClient();
  const [isBusy, setIsBusy] = useState(false);
  const load = async () => {
    const rows: LedgerRowFragment[] = [];
    for (let page = 1; rows.length < MAX_CSV_ROWS; page += 1) {
      const options = { variables: { ...variables, page, size: CSV_PAGE }, fetchPolicy: 'no-cache' } as const;
      const { data } = await client.query({ query: document, ...options });
      rows.push(...(data?.transactions.items ?? []));
      if ((data?.transactions.items.length ?? 0) < CSV_PAGE) break;
    }
    return rows;
  };
  const save = async () => {
    setIsBusy(true);
    try {
      const rows = await load();
      downloadFile(
        `costs-${new Date().toISOString().slice(0, 10)}.csv`,
        'text/csv;charset=utf-8',
        csvOf(rows, row => personOf(row.userId, names)),
      );
      const saved = `${rows.length.toLocaleString('en')} rows were exported.`;
      notifySuccess(rows.length >= MAX_CSV_ROWS ? `The newest ${saved}` : saved);
    } catch (error) {
      notifyProblem('Not exported', error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      ml="auto"
      leftSection={<IconDownload size={16} />}
      loading={isBusy}
      onClick={() => void save()}
    >
      Export CSV
    </Button>
  );
}
