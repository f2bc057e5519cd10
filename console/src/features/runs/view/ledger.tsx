import { useQuery } from '@apollo/client/react';
import { Box, Text } from '@mantine/core';
import { useState } from 'react';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { shownData } from '@/shared/lists/shown-data';
import { Money } from '@/shared/money';
import { RelativeTime } from '@/shared/time';
import { RunLedgerDocument, type RunLedgerQuery } from './run.generated';

type Row = NonNullable<RunLedgerQuery['workflowRun']>['billingTransactions']['items'][number];

/** The size of a page in the query `RunLedger`. */
const PAGE_SIZE = 50;

const columns: Column<Row>[] = [
  {
    id: 'description',
    header: 'Charge',
    cell: ({ description, reason }) => (
      <>
        <Text fz="sm">{description}</Text>
        {reason !== '' && (
          <Text fz="xs" c="dimmed">
            {reason}
          </Text>
        )}
      </>
    ),
  },
  { id: 'operation', header: 'Operation', isWide: true, cell: ({ operation }) => operation },
  {
    id: 'tokens',
    header: 'Tokens',
    align: 'end',
    isWide: true,
    cell: ({ usage }) =>
      usage ? (
        <span className="tabular">
          {usage.promptTokens.toLocaleString()} + {usage.completionTokens.toLocaleString()}
        </span>
      ) : (
        '–'
      ),
  },
  { id: 'time', header: 'Time', isWide: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { id: 'amount', header: 'Amount', align: 'end', cell: ({ amount }) => <Money usd={amount.usd} /> },
];

/** The charges of a run. */
export function Ledger({ runId }: { runId: string }) {
  const [page, setPage] = useState(1);
  const { data, previousData, error, refetch } = useQuery(RunLedgerDocument, { variables: { id: runId, page } });
  const list = shownData({ data, previousData, error })?.workflowRun?.billingTransactions;
  if (error && !list) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  return (
    <Box p={{ base: 'xs', sm: 'md' }}>
      <DataTable
        label="Charges"
        columns={columns}
        rows={list?.items}
        keyOf={({ id }) => id}
        empty={
          <Text fz="sm" c="dimmed">
            The run has no charges.
          </Text>
        }
        pages={{ page, size: PAGE_SIZE, total: list?.total ?? 0, onPage: setPage }}
      />
    </Box>
  );
}
