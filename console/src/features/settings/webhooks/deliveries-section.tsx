import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Drawer, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { IconWebhook } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { JsonView } from '@/shared/json/json-view';
import { EmptyState } from '@/shared/layout/empty-state';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { Section } from '@/shared/layout/section';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { type ListSearch, listSearch, oneOf, useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { useProjectId } from '@/shared/project/use-project';
import { StatusBadge } from '@/shared/status-badge';
import { formatDuration, RelativeTime } from '@/shared/time';
import { type DeliveryRowFragment, RedeliverWebhookDocument, WebhookDeliveriesDocument } from './webhooks.generated';

const SIZE = 15;
const POLL_MS = 5_000;
const STATES = [
  { value: 'PENDING', label: 'Pending' },
  { value: 'DELIVERED', label: 'Delivered' },
  { value: 'FAILED', label: 'Failed' },
] as const;

interface DeliverySearch extends ListSearch {
  state?: (typeof STATES)[number]['value'];
  /** The id of the opened delivery. */
  delivery?: string;
}

/** Deliveries with their attempts. The list is loaded again every few seconds, because pending ones change. */
export function DeliveriesSection() {
  const projectId = useProjectId();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const { page = 1 } = listSearch(search);
  const state = oneOf(
    search.state,
    STATES.map(({ value }) => value),
  );
  const setSearch = useSetSearch<DeliverySearch>();
  const { data, previousData, error, refetch } = useQuery(WebhookDeliveriesDocument, {
    variables: { projectId, state: state ?? null, page, size: SIZE },
    pollInterval: POLL_MS,
  });
  const list = shownData({ data, previousData, error })?.webhookDeliveries;
  const open = (id: string) => setSearch({ delivery: id, page });
  const columns: Column<DeliveryRowFragment>[] = [
    {
      id: 'type',
      header: 'Event',
      cell: ({ id, type }) => (
        <Anchor component="button" type="button" c="inherit" ff="monospace" fz="xs" onClick={() => open(id)}>
          {type}
        </Anchor>
      ),
    },
    { id: 'state', header: 'State', cell: ({ state: value }) => <StatusBadge state={value} /> },
    { id: 'at', header: 'Time', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      id: 'attempts',
      header: 'Attempts',
      align: 'end',
      isWide: true,
      cell: ({ attempts }) => <span className="tabular">{attempts.length}</span>,
    },
    { id: 'last', header: 'Last answer', isWide: true, cell: ({ attempts }) => answerOf(attempts.at(-1)) },
  ];
  if (error && !list) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  const opened = list?.items.find(({ id }) => id === search.delivery);
  return (
    <Section
      isPlain
      title="Deliveries"
      actions={
        <Select
          size="xs"
          w={130}
          aria-label="State"
          placeholder="Any state"
          clearable
          clearButtonProps={{ 'aria-label': 'Any state' }}
          data={[...STATES]}
          value={state ?? null}
          onChange={value => setSearch({ state: (value as DeliverySearch['state'] | null) ?? undefined })}
        />
      }
    >
      <DataTable
        label="Deliveries"
        columns={columns}
        rows={list?.items}
        keyOf={({ id }) => id}
        onOpen={({ id }) => open(id)}
        empty={
          <EmptyState icon={IconWebhook} title={state ? 'No delivery in this state' : 'Nothing was sent yet'}>
            {state ? 'Choose another state.' : 'Save a URL and send a test event, or wait until a run ends.'}
          </EmptyState>
        }
        pages={{ page, size: SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => setSearch({ delivery: undefined, page })}
        position="right"
        size="lg"
        title={opened?.type}
      >
        {opened && <Delivery delivery={opened} />}
      </Drawer>
    </Section>
  );
}

type Attempt = DeliveryRowFragment['attempts'][number];

function answerOf(attempt: Attempt | undefined): string {
  if (!attempt) return '–';
  return attempt.status === null ? (attempt.error ?? 'No answer') : `HTTP ${attempt.status}`;
}

const attemptColumns: Column<Attempt>[] = [
  { id: 'at', header: 'Time', cell: ({ at }) => <RelativeTime at={at} /> },
  {
    id: 'answer',
    header: 'Answer',
    cell: attempt => (
      <>
        {answerOf(attempt)}
        {attempt.status !== null && attempt.error && (
          <Text fz="xs" c="dimmed">
            {attempt.error}
          </Text>
        )}
      </>
    ),
  },
  { id: 'duration', header: 'Duration', align: 'end', cell: ({ durationMs }) => formatDuration(durationMs / 1_000) },
];

function Delivery({ delivery }: { delivery: DeliveryRowFragment }) {
  const redeliver = useAction(RedeliverWebhookDocument, {
    failure: 'Not sent again',
    success: 'The event is sent again.',
    refetchQueries: ['WebhookDeliveries'],
  });
  return (
    <Stack>
      <Group justify="space-between">
        <StatusBadge state={delivery.state} />
        <Button
          size="xs"
          variant="default"
          loading={redeliver.isBusy}
          onClick={() => void redeliver.run({ id: delivery.id })}
        >
          {delivery.state === 'PENDING' ? 'Send now' : 'Send again'}
        </Button>
      </Group>
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {delivery.url}
      </Text>
      {delivery.nextAt && (
        <Text fz="sm" c="dimmed">
          Next attempt: <RelativeTime at={delivery.nextAt} />
        </Text>
      )}
      <Title order={3}>Attempts</Title>
      <DataTable
        label="Attempts"
        columns={attemptColumns}
        rows={delivery.attempts.toReversed()}
        keyOf={({ at }) => at}
        empty={
          <Text fz="sm" c="dimmed">
            No attempt yet.
          </Text>
        }
      />
      <Title order={3}>Request body</Title>
      <JsonView value={delivery.body} label="request body" />
    </Stack>
  );
}
