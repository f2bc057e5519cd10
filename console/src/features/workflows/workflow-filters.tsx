import { Select } from '@mantine/core';
import { oneOf, useSetSearch } from '@/shared/lists/list-search';
import { useCategoryChoices, useWorkflowChoices } from '@/shared/project/use-choices';
import { WORKFLOW_SORTS, type WorkflowSearch } from './workflow-search';

const LABELS: Record<(typeof WORKFLOW_SORTS)[number], string> = {
  POSITION: 'Own order',
  TITLE_ASC: 'Title',
  UPDATED_AT_DESC: 'Changed last',
  CREATED_AT_DESC: 'Newest',
};

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

function nameOfLanguage(code: string): string {
  try {
    return languageNames.of(code) ?? code;
  } catch {
    // Not a well-formed language code.
    return code;
  }
}

/** The filters of the list, which are kept in the address. */
export function WorkflowFilters({ search: { category, language, sort } }: { search: WorkflowSearch }) {
  const setSearch = useSetSearch<WorkflowSearch>();
  const categories = useCategoryChoices();
  const languages = new Set(useWorkflowChoices().flatMap(({ availableLanguages }) => availableLanguages));
  // A language of the address stays selectable when no workflow has it any more.
  if (language !== undefined) languages.add(language);
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
      {languages.size > 0 && (
        <Select
          aria-label="Language"
          placeholder="All languages"
          w={170}
          data={[...languages].map(code => ({ value: code, label: nameOfLanguage(code) }))}
          value={language ?? null}
          onChange={code => setSearch({ language: code ?? undefined })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'All languages' }}
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
