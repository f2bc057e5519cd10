import { useQuery } from '@apollo/client/react';
import { Select } from '@mantine/core';
import { oneOf, useSetSearch } from '@/shared/list-search';
import { WORKFLOW_SORTS, type WorkflowSearch } from './workflow-search';
import { WorkflowCategoriesDocument } from './workflows.generated';

const LABELS: Record<(typeof WORKFLOW_SORTS)[number], string> = {
  POSITION: 'Own order',
  TITLE_ASC: 'Title',
  UPDATED_AT_DESC: 'Changed last',
  CREATED_AT_DESC: 'Newest',
};

/** The filters of the list, which are kept in the address. */
export function WorkflowFilters({ search: { category, sort } }: { search: WorkflowSearch }) {
  const setSearch = useSetSearch<WorkflowSearch>();
  const { data } = useQuery(WorkflowCategoriesDocument);
  const categories = data?.categories.items ?? [];
  return (
    <>
      {categories.length > 0 && (
        <Select
          aria-label="Category"
          placeholder="All categories"
          w={190}
          data={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={category === undefined ? null : String(category)}
          onChange={id => setSearch({ category: id === null ? undefined : Number(id) })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'All categories' }}
        />
      )}
      <Select
        aria-label="Sort by"
        w={150}
        data={WORKFLOW_SORTS.map(value => ({ value, label: LABELS[value] }))}
        value={sort ?? 'POSITION'}
        allowDeselect={false}
        onChange={value => setSearch({ sort: value === 'POSITION' ? undefined : oneOf(value, WORKFLOW_SORTS) })}
      />
    </>
  );
}
