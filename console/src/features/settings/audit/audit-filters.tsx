import { useQuery } from '@apollo/client/react';
import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useSetSearch } from '@/shared/lists/list-search';
import { useMemberChoices } from '@/shared/project/use-choices';
import { AuditPeopleDocument } from './audit.generated';
import type { AuditSearch } from './audit-search';

const DEBOUNCE_MS = 300;

interface Person {
  id: number;
  email: string;
}

/** The filters of the audit log. `projectId` null: the log of the whole service. */
export function AuditFilters({ projectId, search }: { projectId: number | null; search: AuditSearch }) {
  const setSearch = useSetSearch<AuditSearch>();
  return (
    <Group gap="sm" align="flex-end">
      <ActionFilter key={search.action} value={search.action} />
      {projectId === null ? <AnyPerson value={search.user} /> : <Member value={search.user} />}
      <TextInput
        type="date"
        aria-label="First day"
        value={search.from ?? ''}
        onChange={({ currentTarget }) => setSearch({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        aria-label="Last day"
        value={search.to ?? ''}
        onChange={({ currentTarget }) => setSearch({ to: currentTarget.value })}
      />
    </Group>
  );
}

function ActionFilter({ value = '' }: { value?: string | undefined }) {
  const [text, setText] = useState(value);
  const setSearch = useSetSearch<AuditSearch>();
  const apply = () => setSearch({ action: text.trim() });
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        apply();
      }}
    >
      <TextInput
        aria-label="Action"
        placeholder="Action, such as member.add"
        w={220}
        maxLength={100}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => text.trim() !== value && apply()}
      />
    </form>
  );
}

function AnyPerson({ value }: { value: number | undefined }) {
  const [text, setText] = useState('');
  const find = useDebouncedCallback(setText, DEBOUNCE_MS);
  const { data, previousData } = useQuery(AuditPeopleDocument, { variables: { search: text || null } });
  return <PersonSelect people={(data ?? previousData)?.users.items} value={value} onSearch={find} />;
}

function Member({ value }: { value: number | undefined }) {
  const people = useMemberChoices().flatMap(({ userId, email }) => (userId == null ? [] : [{ id: userId, email }]));
  return <PersonSelect people={people} value={value} />;
}

interface PersonSelectProps {
  people: readonly Person[] | undefined;
  value: number | undefined;
  onSearch?: (text: string) => void;
}

function PersonSelect({ people = [], value, onSearch }: PersonSelectProps) {
  const setSearch = useSetSearch<AuditSearch>();
  const known = people.map(({ id, email }) => ({ value: String(id), label: email }));
  const isKnown = value === undefined || people.some(({ id }) => id === value);
  return (
    <Select
      aria-label="Person"
      placeholder="Any person"
      w={220}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any person' }}
      data={isKnown ? known : [...known, { value: String(value), label: `User ${value}` }]}
      value={value === undefined ? null : String(value)}
      onChange={id => setSearch({ user: id === null ? undefined : Number(id) })}
      {...(onSearch ? { onSearchChange: onSearch } : {})}
    />
  );
}
