import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Group, List, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { IconHistory } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { type ListSearch, useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';
import { RelativeTime } from '@/shared/time';
import { PublishedBadge } from './published-badge';
import { BisectDialog, WhatIfDialog } from './question-dialogs';
import { VersionMenu } from './version-menu';
import { SetDraftsDocument, type VersionFragment, VersionsDocument, type VersionsQuery } from './versions.generated';

const SIZE = 20;

/** The saved revisions of a workflow, and which of them runs use. */
export function VersionsScreen() {
  const { workflowId } = useParams({ strict: false }) as { workflowId: string };
  const id = Number(workflowId);
  const { page = 1 } = useSearch({ strict: false }) as ListSearch;
  const setSearch = useSetSearch();
  const { isEditor } = useProjectRole();
  const { data, previousData, error, refetch } = useQuery(VersionsDocument, {
    variables: { id, page, size: SIZE },
    fetchPolicy: 'cache-and-network',
  });
  const shown = shownData({ data, previousData, error });
  const workflow = shown?.workflow;
  if (error && !shown) return <ProblemPanel error={error} onRetry={() => void refetch().catch(() => undefined)} />;
  const usesDrafts = workflow?.project.usesDrafts ?? false;
  return (
    <>
      <PageHeader
        title="Versions"
        description={
          usesDrafts
            ? 'Saving changes the draft. Runs use the published version.'
            : 'Each save that changes the graph is a version. Runs use the current one.'
        }
        trail={[
          { label: 'workflow', link: <WorkflowLink id={id}>{workflow?.title ?? `Workflow ${id}`}</WorkflowLink> },
        ]}
        actions={
          workflow && (
            <Group>
              {isEditor && <RehearsalButtons workflowId={id} />}
              <DraftsSwitch usesDrafts={usesDrafts} />
            </Group>
          )
        }
      />
      <Stack gap="lg">
        <DataTable
          label="Versions"
          columns={columnsOf(id, isEditor, workflow)}
          rows={shown?.workflowRevisions?.items}
          keyOf={version => version.id}
          empty={
            <EmptyState icon={IconHistory} title="No versions">
              Save the workflow to create the first one.
            </EmptyState>
          }
          pages={{
            page,
            size: SIZE,
            total: shown?.workflowRevisions?.total ?? 0,
            onPage: next => setSearch({ page: next }),
          }}
        />
        {usesDrafts && <Publications items={shown?.workflowPublications?.items ?? []} />}
      </Stack>
    </>
  );
}

/** Buttons for rehearsals: how another model or prompt changes past runs, and which version made a run go wrong. */
function RehearsalButtons({ workflowId }: { workflowId: number }) {
  const [isWhatIf, whatIf] = useDisclosure(false);
  const [isBisect, bisect] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={whatIf.open}>
        What if
      </Button>
      <Button variant="default" size="xs" onClick={bisect.open}>
        Since when
      </Button>
      {isWhatIf && <WhatIfDialog workflowId={workflowId} onClose={whatIf.close} />}
      {isBisect && <BisectDialog workflowId={workflowId} onClose={bisect.close} />}
    </>
  );
}

function WorkflowLink({ id, children }: { id: number; children: string }) {
  const params = { projectId: String(useProjectId()), workflowId: String(id) };
  return (
    <Anchor renderRoot={link => <Link {...link} to="/projects/$projectId/workflows/$workflowId" params={params} />}>
      {children}
    </Anchor>
  );
}

/** Switches drafts for all workflows of the project, so only its admins may change it. */
function DraftsSwitch({ usesDrafts }: { usesDrafts: boolean }) {
  const projectId = useProjectId();
  const { isAdmin } = useProjectRole();
  const setDrafts = useAction(SetDraftsDocument, {
    failure: 'Not changed',
    success: usesDrafts
      ? 'Runs of all workflows of the project use the current versions.'
      : 'The current version of every workflow of the project is published.',
    refetchQueries: ['Versions'],
  });
  return (
    <Switch
      label="Drafts in this project"
      checked={usesDrafts}
      disabled={!isAdmin || setDrafts.isBusy}
      onChange={event => void setDrafts.run({ projectId, usesDrafts: event.currentTarget.checked })}
    />
  );
}

function columnsOf(
  workflowId: number,
  isEditor: boolean,
  workflow: VersionsQuery['workflow'] | undefined,
): Column<VersionFragment>[] {
  const current = workflow?.currentRevision.number;
  const usedByRuns = workflow?.publishedRevision?.number ?? current;
  return [
    {
      id: 'number',
      header: 'Version',
      cell: version => (
        <>
          <Group gap="xs">
            <Text fw={550}>{version.number}</Text>
            {version.name !== '' && <Text>{version.name}</Text>}
            {version.isCurrent && <Badge variant="light">Current</Badge>}
            {version.isPublished && <PublishedBadge />}
          </Group>
          {version.note !== '' && (
            <Text fz="xs" c="dimmed" lineClamp={2}>
              {version.note}
            </Text>
          )}
        </>
      ),
    },
    { id: 'user', header: 'Saved by', isWide: true, cell: ({ userName }) => userName ?? '–' },
    { id: 'time', header: 'Saved', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      id: 'compare',
      header: 'Compare',
      isWide: true,
      cell: ({ number }) => (
        <Group gap="sm">
          {number > 1 && (
            <CompareLink workflowId={workflowId} left={number - 1} right={number}>
              With the one before
            </CompareLink>
          )}
          {usedByRuns !== undefined && usedByRuns !== number && (
            <CompareLink workflowId={workflowId} left={usedByRuns} right={number}>
              {`With version ${usedByRuns}`}
            </CompareLink>
          )}
        </Group>
      ),
    },
    ...(isEditor
      ? [
          {
            id: 'menu',
            header: '',
            width: '3rem',
            align: 'end' as const,
            cell: (version: VersionFragment) => (
              <VersionMenu
                version={version}
                workflowId={workflowId}
                compareWith={usedByRuns ?? version.number}
                usesDrafts={workflow?.project.usesDrafts ?? false}
              />
            ),
          },
        ]
      : []),
  ];
}

function CompareLink({
  workflowId,
  left,
  right,
  children,
}: {
  workflowId: number;
  left: number;
  right: number;
  children: string;
}) {
  const params = { projectId: String(useProjectId()), workflowId: String(workflowId) };
  return (
    <Anchor
      fz="sm"
      aria-label={`${children}: compare version ${right}`}
      renderRoot={link => (
        <Link
          {...link}
          to="/projects/$projectId/workflows/$workflowId/versions/compare"
          params={params}
          search={{ left, right }}
        />
      )}
    >
      {children}
    </Anchor>
  );
}

function Publications({ items }: { items: NonNullable<VersionsQuery['workflowPublications']>['items'] }) {
  return (
    <Paper component="section" p="md" aria-label="Publications">
      <Title order={2} mb="xs">
        Publications
      </Title>
      {items.length === 0 ? (
        <Text c="dimmed" fz="sm">
          No version was published yet, so the workflow does not run. Publish one in its menu.
        </Text>
      ) : (
        <List listStyleType="none" spacing={6} fz="sm">
          {items.map(({ id, revisionNumber, note, userName, createdAt }) => (
            <List.Item key={id}>
              Version {revisionNumber} by {userName ?? 'a deleted user'}, <RelativeTime at={createdAt} />
              {note !== '' && (
                <Text span c="dimmed" fz="sm">
                  {' '}
                  · {note}
                </Text>
              )}
            </List.Item>
          ))}
        </List>
      )}
    </Paper>
  );
}
