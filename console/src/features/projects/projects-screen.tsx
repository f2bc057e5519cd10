import { useQuery } from '@apollo/client/react';
import { Anchor, Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { IconFolder, IconPlus, IconSearch } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { type ListSearch, useSearchText, useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { Money } from '@/shared/money';
import { RelativeTime } from '@/shared/time';
import { CreateProjectDialog } from './create-project-dialog';
import { ProjectsDocument, type ProjectsQuery } from './projects.generated';
import { ReceivedInvitations } from './received-invitations';

type Project = ProjectsQuery['projects']['items'][number];

const SIZE = 20;

const columns: Column<Project>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <Anchor fw={500} c="inherit" renderRoot={props => <ProjectLink {...props} id={id} />}>
        {name}
      </Anchor>
    ),
  },
  { id: 'role', header: 'Your rights', isWide: true, cell: ({ canEdit }) => (canEdit ? 'Can edit' : 'Can view') },
  { id: 'spent', header: 'Spent', align: 'end', cell: ({ totalSpent }) => <Money usd={totalSpent.usd} /> },
  { id: 'created', header: 'Created', isWide: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

function ProjectLink({ id, ...props }: { id: number }) {
  return <Link {...props} to="/projects/$projectId" params={{ projectId: String(id) }} />;
}

/** The projects of the viewer, and the invitations to others. */
export function ProjectsScreen() {
  const { page = 1, q } = useSearch({ strict: false }) as ListSearch;
  const setSearch = useSetSearch();
  const text = useSearchText(q);
  const [isCreating, { open, close }] = useDisclosure(false);
  const navigate = useNavigate();
  const { data, previousData, error, refetch } = useQuery(ProjectsDocument, {
    variables: { page, size: SIZE, name: q ?? null },
  });
  const list = shownData({ data, previousData, error })?.projects;
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New project
    </Button>
  );
  const empty =
    q === undefined ? (
      <EmptyState icon={IconFolder} title="Create your first project" action={create}>
        A project holds workflows, documents and runs, with its own members and budget.
      </EmptyState>
    ) : (
      <EmptyState icon={IconSearch} title={`No project contains “${q}”`}>
        Try another word.
      </EmptyState>
    );
  return (
    <>
      <PageHeader title="Projects" actions={create} />
      <ReceivedInvitations />
      <TextInput
        {...text}
        onChange={event => text.onChange(event.currentTarget.value)}
        aria-label="Search projects"
        placeholder="Search"
        leftSection={<IconSearch size={16} />}
        maw={320}
        mb="md"
      />
      <DataTable
        query={{ error, refetch }}
        label="Projects"
        columns={columns}
        rows={list?.items}
        keyOf={({ id }) => id}
        empty={empty}
        onOpen={({ id }) => void navigate({ to: '/projects/$projectId', params: { projectId: String(id) } })}
        pages={{ page, size: SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
      />
      <CreateProjectDialog isOpen={isCreating} onClose={close} />
    </>
  );
}
