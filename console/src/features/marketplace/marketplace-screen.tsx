import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Group, Paper, Select, Text, Title } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { IconBuildingStore } from '@/icons';
import { useSession } from '@/session/session';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { countOf } from '@/shared/lists/count';
import { type ListSearch, listSearch, oneOf, useSetSearch } from '@/shared/lists/list-search';
import { SearchedList } from '@/shared/lists/searched-list';
import { shownData } from '@/shared/lists/shown-data';
import { useCategoryChoices } from '@/shared/project/use-choices';
import { type ListingCardFragment, MarketplaceListDocument } from './marketplace.generated';
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

/** The published workflows. Visitors who are not signed in see them too. */
export function MarketplaceScreen() {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const { page = 1, q } = listSearch(search);
  const category = Number(search.category) || undefined;
  const sort = oneOf(
    search.sort,
    SORTS.map(({ value }) => value),
  );
  const setSearch = useSetSearch<MarketSearch>();
  // Only users may list categories.
  const isSignedIn = useSession().status === 'signed-in';
  const categories = useCategoryChoices({ skip: !isSignedIn });
  const { data, previousData, error, refetch } = useQuery(MarketplaceListDocument, {
    variables: {
      page,
      size: SIZE,
      order: sort ?? 'CREATED_AT_DESC',
      filter: { ...(q ? { search: q } : {}), ...(category ? { categoryIds: [category] } : {}) },
    },
  });
  const list = shownData({ data, previousData, error })?.marketplaceWorkflows;
  return (
    <>
      <PageHeader
        title="Marketplace"
        description="Workflows that others published. Try their examples, then copy one to a project of yours."
      />
      <SearchedList
        label="Published workflows"
        unit="workflow"
        search={{ page, ...(q === undefined ? {} : { q }) }}
        list={list}
        error={error}
        onRetry={() => void refetch()}
        keyOf={({ id }) => id}
        card={item => <Card item={item} />}
        size={SIZE}
        isFiltered={category !== undefined}
        empty={
          <EmptyState icon={IconBuildingStore} title="Nothing is published yet">
            Open a workflow of yours and publish it, so that other teams can copy it.
          </EmptyState>
        }
        filters={
          <>
            {isSignedIn && (
              <Select
                aria-label="Category"
                placeholder="All categories"
                searchable
                clearable
                clearButtonProps={{ 'aria-label': 'All categories' }}
                w={170}
                data={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
                value={category === undefined ? null : String(category)}
                onChange={value => setSearch({ category: value === null ? undefined : Number(value) })}
              />
            )}
            <Select
              aria-label="Sort by"
              w={150}
              data={[...SORTS]}
              value={sort ?? 'CREATED_AT_DESC'}
              allowDeselect={false}
              onChange={value => setSearch({ sort: (value as MarketSearch['sort'] | null) ?? undefined })}
            />
          </>
        }
      />
    </>
  );
}

function Card({ item }: { item: ListingCardFragment }) {
  return (
    <Paper p="md" component="article" h="100%" style={{ display: 'flex', flexDirection: 'column' }}>
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
