import { useQuery } from '@apollo/client/react';
import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { IconKey, IconPlus } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { Section } from '@/shared/layout/section';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { listSearch, useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { formatUsd, Money } from '@/shared/money';
import { SecretOnce } from '@/shared/secret-once';
import { RelativeTime } from '@/shared/time';
import { CreateKeyDialog } from './create-key-dialog';
import { KeyMenu } from './key-menu';
import { ApiKeysDocument, type ApiKeysQuery } from './keys.generated';

export type ApiKeyRow = ApiKeysQuery['apiKeys']['items'][number];

const SIZE = 20;

const columnsOf = (isAdmin: boolean): Column<ApiKeyRow>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, prefix, expiresAt }) => (
      <>
        <Group gap="xs" wrap="nowrap">
          <Text fz="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {expiresAt && Date.parse(expiresAt) < Date.now() && (
            <Badge size="sm" color="red" variant="light">
              Expired
            </Badge>
          )}
        </Group>
        <Code fz="xs">{prefix}…</Code>
      </>
    ),
  },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'Never'),
  },
  { id: 'created', header: 'Created', isWide: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    id: 'expires',
    header: 'Expires',
    isWide: true,
    cell: ({ expiresAt }) => (expiresAt ? <RelativeTime at={expiresAt} /> : 'Never'),
  },
  {
    id: 'limit',
    header: 'Requests / minute',
    align: 'end',
    isWide: true,
    cell: ({ rateLimit }) => (
      <span className="tabular">
        {rateLimit === null ? 'Default' : rateLimit === 0 ? 'Unlimited' : rateLimit.toLocaleString('en')}
      </span>
    ),
  },
  {
    id: 'spent',
    header: 'Chat costs',
    align: 'end',
    isWide: true,
    cell: ({ totalSpent, budget }) => (
      <>
        <Money usd={totalSpent.usd} />
        {budget && (
          <Text fz="xs" c="dimmed">
            of {formatUsd(budget.limit.usd)}
          </Text>
        )}
      </>
    ),
  },
  { id: 'menu', header: '', width: '3rem', align: 'end', cell: key => <KeyMenu apiKey={key} isAdmin={isAdmin} /> },
];

/** The API keys of the viewer. */
export function KeysSection() {
  const { page = 1 } = listSearch(useSearch({ strict: false }) as Record<string, unknown>);
  const setSearch = useSetSearch();
  const [isOpen, dialog] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { data, previousData, error, refetch } = useQuery(ApiKeysDocument, { variables: { page, size: SIZE } });
  const shown = shownData({ data, previousData, error });
  const isAdmin = shown?.me?.isAdmin === true;
  const isAllowed = shown === undefined || isAdmin || shown.me?.isApiAllowed === true;
  const create = isAllowed ? (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New key
    </Button>
  ) : undefined;
  if (error && !shown) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  return (
    <Section
      isPlain
      title="API keys"
      description="Your keys for programs. A key has your rights in all your projects, and is shown only once."
      actions={(shown?.apiKeys.total ?? 0) > 0 ? create : undefined}
    >
      <DataTable
        label="API keys"
        columns={columnsOf(isAdmin)}
        rows={shown?.apiKeys.items}
        keyOf={({ id }) => id}
        pages={{ page, size: SIZE, total: shown?.apiKeys.total ?? 0, onPage: next => setSearch({ page: next }) }}
        empty={
          <EmptyState icon={IconKey} title="No API keys" action={create}>
            {isAllowed
              ? 'Programs send a key to run workflows, and to use Scenarium like a model provider.'
              : 'An administrator must permit the use of the API for your account first.'}
          </EmptyState>
        }
      />
      <CreateKeyDialog isOpen={isOpen} onClose={dialog.close} isAdmin={isAdmin} onCreated={setSecret} />
      <SecretOnce title="Your new API key" secret={secret} onClose={() => setSecret(null)} label="API key">
        Store the key now. It is not shown again.
      </SecretOnce>
    </Section>
  );
}
