import { useQuery } from '@apollo/client/react';
import {
  Anchor,
  Badge,
  Group,
  Pagination,
  Paper,
  Select,
  SimpleGrid,
  Skeleton,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { IconBuildingStore, IconSearch } from '@/icons';
import { countOf } from '@/shared/count';
import { EmptyState } from '@/shared/empty-state';
import { type ListSearch, listSearch, oneOf, useSearchText, useSetSearch } from '@/shared/list-search';
import { PageHeader } from '@/shared/page-header';
import { ProblemPanel } from '@/shared/problem-panel';
import { type ListingCardFragment, MarketCategoriesDocument, MarketplaceListDocument } from './marketplace.generated';
import { feeText, priceText } from './price';

const SIZE = 12;
const SORTS = [
  { value: 'CREATED_AT_DESC', label: 'Newest' },
  { value: 'CREATED_AT_ASC', label: 'Oldest' },
  { value: 'LAST_RUN_AT_DESC', label: 'Recently used' },
] as const;

interface MarketSearch extends ListSearch {
  category?: number;
  sort?: (typeof SORTS)[number]['value'];
}

/** Published workflows. Also for visitors who are not signed in. */
export function MarketplaceScreen() {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const { page = 1, q } = listSearch(search);
  const category = Number(search.category) || undefined;
  const sort = oneOf(
    search.sort,
    SORTS.map(({ value }) => value),
  );
  const setSearch = useSetSearch<MarketSearch>();
  const text = useSearchText(q);
  const { data: known } = useQuery(MarketCategoriesDocument);
  const { data, previousData, error, refetch } = useQuery(MarketplaceListDocument, {
    variables: {
      page,
      size: SIZE,
      order: sort ?? 'CREATED_AT_DESC',
      filter: { ...(q ? { search: q } : {}), ...(category ? { categoryIds: [category] } : {}) },
    },
  });
  const list = (data ?? previousData)?.marketplaceWorkflows;
  return (
    <>
      <PageHeader
        title="Marketplace"
        description="Workflows that others published. Try their examples, then copy one to a project of yours."
      />
      <Group mb="lg" gap="sm">
        <TextInput
          value={text.value}
          onChange={event => text.onChange(event.currentTarget.value)}
          aria-label="Search the marketplace"
          placeholder="Search"
          leftSection={<IconSearch size={16} />}
          style={{ flex: '1 1 12rem' }}
          maw={360}
        />
        <Select
          aria-label="Category"
          placeholder="All categories"
          clearable
          clearButtonProps={{ 'aria-label': 'All categories' }}
          w={170}
          data={known?.categories.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          value={category === undefined ? null : String(category)}
          onChange={value => setSearch({ category: value === null ? undefined : Number(value) })}
        />
        <Select
          aria-label="Sort by"
          w={150}
          data={[...SORTS]}
          value={sort ?? 'CREATED_AT_DESC'}
          allowDeselect={false}
          onChange={value => setSearch({ sort: (value as MarketSearch['sort'] | null) ?? undefined })}
        />
      </Group>
      {error && !list ? (
        <ProblemPanel error={error} onRetry={() => void refetch()} />
      ) : list === undefined ? (
        <CardsSkeleton />
      ) : list.items.length === 0 ? (
        <EmptyState icon={IconBuildingStore} title={q || category ? 'Nothing matches' : 'Nothing is published yet'}>
          {q || category
            ? 'Try another word or category.'
            : 'Open a workflow of yours and publish it, so that other teams can copy it.'}
        </EmptyState>
      ) : (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
            {list.items.map(item => (
              <Card key={item.id} item={item} />
            ))}
          </SimpleGrid>
          {list.total > SIZE && (
            <Group justify="flex-end" mt="md">
              <Pagination
                size="sm"
                total={Math.ceil(list.total / SIZE)}
                value={page}
                onChange={next => setSearch({ page: next })}
                getControlProps={control => ({ 'aria-label': `${control} page` })}
              />
            </Group>
          )}
        </>
      )}
    </>
  );
}

function Card({ item }: { item: ListingCardFragment }) {
  return (
    <Paper p="md" component="article" style={{ display: 'flex', flexDirection: 'column' }}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb={4}>
        <Title order={2} fz="md">
          <Anchor
            c="inherit"
            renderRoot={props => <Link {...props} to="/marketplace/$slug" params={{ slug: item.slug }} />}
          >
            {item.marketTitle}
          </Anchor>
        </Title>
        {item.category && (
          <Badge variant="default" size="sm" tt="none" style={{ flex: 'none' }}>
            {item.category.name}
          </Badge>
        )}
      </Group>
      <Text fz="sm" c="dimmed" lineClamp={3} style={{ flex: 1 }}>
        {item.shortDescription}
      </Text>
      <Group justify="space-between" mt="md" gap="xs">
        <Text fz="xs" fw={500}>
          {feeText(item)} · {priceText(item)}
        </Text>
        <Text fz="xs" c="dimmed" className="tabular">
          {countOf(item.totalRunsCount, 'run')}, {countOf(item.totalUsersCount, 'user')}
        </Text>
      </Group>
    </Paper>
  );
}

function CardsSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" aria-busy="true" aria-label="Loading">
      {['1', '2', '3', '4', '5', '6'].map(key => (
        <Skeleton key={key} height={150} radius="md" />
      ))}
    </SimpleGrid>
  );
}
