import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Group, Menu, Text } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { IconAlertTriangle, IconBolt, IconClock, IconForms, IconMessages, IconWebhook } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { useWorkflowChoices } from '@/shared/project/use-choices';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';
import { RelativeTime } from '@/shared/time';
import type { TriggersSearch } from './routes';
import { TriggerDialog } from './trigger-dialog';
import { EditorLink, RunLink, TriggerLink, WorkflowTriggersLink } from './trigger-links';
import { TriggerMenu } from './trigger-menu';
import { TriggerSwitch } from './trigger-switch';
import { describeTrigger, NOUNS } from './trigger-texts';
import { type TriggerDetailFragment, TriggersDocument, TriggerWorkflowDocument } from './triggers.generated';

const SIZE = 20;

/** The triggers of the workflow in the address, else those of the project. */
export function TriggersScreen() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { isEditor } = useProjectRole();
  const { workflowId: idText } = useParams({ strict: false }) as { workflowId?: string };
  const workflowId = idText === undefined ? undefined : Number(idText);
  const { page = 1, create } = useSearch({ strict: false }) as TriggersSearch;
  const setSearch = useSetSearch<TriggersSearch>();
  const { data, previousData, error, refetch } = useQuery(TriggersDocument, {
    variables: { ...(workflowId === undefined ? { projectId } : { workflowId }), page, size: SIZE },
  });
  const titleOf = useTitles(workflowId);
  const list = shownData({ data, previousData, error })?.workflowTriggers;
  const open = (id: number) =>
    void navigate({
      to: '/projects/$projectId/triggers/$triggerId',
      params: { projectId: String(projectId), triggerId: String(id) },
    });
  const buttons = isEditor && <CreateButtons onCreate={kind => setSearch({ create: kind, page })} />;
  return (
    <>
      <PageHeader
        title="Triggers"
        description="Schedules, webhooks, forms, chats, events and failures start runs."
        trail={
          workflowId === undefined
            ? []
            : [
                {
                  label: 'workflow',
                  link: (
                    <Anchor renderRoot={link => <EditorLink {...link} id={workflowId} />}>{titleOf(workflowId)}</Anchor>
                  ),
                },
              ]
        }
        actions={list !== undefined && list.items.length > 0 && buttons}
      />
      <DataTable
        query={{ error, refetch }}
        label="Triggers"
        columns={columnsOf(isEditor, workflowId === undefined ? titleOf : null)}
        rows={list?.items}
        keyOf={({ id }) => id}
        onOpen={({ id }) => open(id)}
        empty={
          <EmptyState icon={IconBolt} title="Start runs automatically" action={buttons}>
            A schedule starts runs at fixed times. A webhook gives another system an address that starts a run. A form
            is a page for people, and a chat a conversation with them. Events and failures of other workflows can start
            runs, too.
          </EmptyState>
        }
        pages={{ page, size: SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
      />
      {create !== undefined && isEditor && (
        <TriggerDialog
          key={create}
          kind={KINDS[create]}
          workflowId={workflowId}
          onClose={() => setSearch({ create: undefined, page })}
          onCreated={open}
        />
      )}
    </>
  );
}

/** The kinds by the value of `create` in the address. */
const KINDS = {
  schedule: 'SCHEDULE',
  webhook: 'WEBHOOK',
  event: 'EVENT',
  failure: 'FAILURE',
  form: 'FORM',
  chat: 'CHAT',
} as const;
const ICONS = {
  SCHEDULE: IconClock,
  WEBHOOK: IconWebhook,
  EVENT: IconBolt,
  FAILURE: IconAlertTriangle,
  FORM: IconForms,
  CHAT: IconMessages,
};

function CreateButtons({ onCreate }: { onCreate: (kind: keyof typeof KINDS) => void }) {
  return (
    <Group gap="xs">
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <Button variant="default">More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconForms size={16} />} onClick={() => onCreate('form')}>
            New form
          </Menu.Item>
          <Menu.Item leftSection={<IconMessages size={16} />} onClick={() => onCreate('chat')}>
            New chat
          </Menu.Item>
          <Menu.Item leftSection={<IconBolt size={16} />} onClick={() => onCreate('event')}>
            New event trigger
          </Menu.Item>
          <Menu.Item leftSection={<IconAlertTriangle size={16} />} onClick={() => onCreate('failure')}>
            New failure trigger
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button variant="default" leftSection={<IconWebhook size={16} />} onClick={() => onCreate('webhook')}>
        New webhook
      </Button>
      <Button leftSection={<IconClock size={16} />} onClick={() => onCreate('schedule')}>
        New schedule
      </Button>
    </Group>
  );
}

function KindIcon({ kind }: { kind: TriggerDetailFragment['kind'] }) {
  const Icon = ICONS[kind];
  return <Icon size={16} aria-label={NOUNS[kind]} />;
}

/** Returns a function that returns the title of a workflow. Loads only the given workflow, otherwise all of the project. */
function useTitles(workflowId: number | undefined): (id: number) => string {
  const one = useQuery(TriggerWorkflowDocument, {
    variables: { id: workflowId ?? 0 },
    skip: workflowId === undefined,
  });
  const all = useWorkflowChoices({ skip: workflowId !== undefined });
  const workflows = [...(one.data?.workflow ? [one.data.workflow] : []), ...all];
  return id => workflows.find(workflow => workflow.id === id)?.title ?? `Workflow ${id}`;
}

function columnsOf(isEditor: boolean, titleOf: ((id: number) => string) | null): Column<TriggerDetailFragment>[] {
  return [
    {
      id: 'name',
      header: 'Trigger',
      cell: trigger => (
        <>
          <Group gap="xs" wrap="nowrap">
            <KindIcon kind={trigger.kind} />
            <Anchor fw={500} c="inherit" renderRoot={link => <TriggerLink {...link} id={trigger.id} />}>
              {trigger.name}
            </Anchor>
          </Group>
          <Text fz="xs" c="dimmed" lineClamp={1}>
            {describeTrigger(trigger)}
          </Text>
        </>
      ),
    },
    ...(titleOf === null
      ? []
      : [
          {
            id: 'workflow',
            header: 'Workflow',
            isWide: true,
            cell: ({ workflowId }: TriggerDetailFragment) => (
              <Anchor c="inherit" renderRoot={link => <WorkflowTriggersLink {...link} id={workflowId} />}>
                {titleOf(workflowId)}
              </Anchor>
            ),
          },
        ]),
    {
      id: 'next',
      header: 'Next',
      isWide: true,
      cell: ({ nextAt, isPaused }) => (isPaused ? 'Paused' : <RelativeTime at={nextAt} />),
    },
    {
      id: 'last',
      header: 'Last run',
      isWide: true,
      cell: ({ lastRunId, name }) =>
        lastRunId === null ? (
          '–'
        ) : (
          <Anchor fz="sm" aria-label={`Last run of ${name}`} renderRoot={link => <RunLink {...link} id={lastRunId} />}>
            Open
          </Anchor>
        ),
    },
    { id: 'enabled', header: 'On', cell: trigger => <TriggerSwitch trigger={trigger} canEdit={isEditor} /> },
    ...(isEditor
      ? [
          {
            id: 'menu',
            header: '',
            width: '3rem',
            align: 'end' as const,
            cell: (trigger: TriggerDetailFragment) => <TriggerMenu trigger={trigger} />,
          },
        ]
      : []),
  ];
}
