import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Grid, Tabs } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { IconPlayerPlay } from '@/icons';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { TabBar } from '@/shared/layout/tab-bar';
import { useProjectId } from '@/shared/project/use-project';
import { MessageList } from './messages/message-list';
import { MessagePanel } from './messages/message-panel';
import { useNames } from './names';
import type { ScenarioSearch } from './routes';
import { ScenarioRuns } from './runs/scenario-runs';
import { ScenarioEditorDocument } from './scenario-editor.generated';
import type { ScenarioView } from './scenario-query';
import { ScenarioSettings } from './scenario-settings';
import { ScenarioVariables } from './scenario-variables';

/** The editor of one scenario. The tab and the message are in the address. */
export function ScenarioScreen() {
  const { scenarioId } = useParams({ strict: false }) as { scenarioId: string };
  const id = Number(scenarioId);
  const { data, previousData, ...query } = useQuery(ScenarioEditorDocument, { variables: { id } });
  // Earlier data keeps unsaved fields mounted. That of another scenario would show, and save, its values under this address.
  const kept = previousData?.scenario?.id === id ? previousData : undefined;
  return (
    <QueryView query={{ ...query, data: data ?? kept }}>
      {({ scenario }) => <ScenarioEditor key={scenario.id} scenario={scenario} />}
    </QueryView>
  );
}

function ScenarioEditor({ scenario }: { scenario: ScenarioView }) {
  const projectId = String(useProjectId());
  const { tab = 'messages' } = useSearch({ strict: false }) as ScenarioSearch;
  const navigate = useNavigate();
  const params = { projectId, scenarioId: String(scenario.id) };
  const runButton = scenario.canEdit && (
    <Button
      leftSection={<IconPlayerPlay size={16} />}
      disabled={scenario.messages.length === 0}
      onClick={() => void navigate({ to: '/projects/$projectId/scenarios/$scenarioId/run', params })}
    >
      Run
    </Button>
  );
  return (
    <>
      <PageHeader
        title={scenario.name}
        description={scenario.shortDescription || undefined}
        trail={[{ label: 'Scenarios', link: <ScenariosLink /> }]}
        actions={runButton}
      />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={next =>
          void navigate({ to: '.', search: next === 'messages' ? {} : { tab: next }, replace: true } as never)
        }
      >
        <TabBar mb="md">
          <Tabs.Tab value="messages">Messages</Tabs.Tab>
          <Tabs.Tab value="variables">Variables</Tabs.Tab>
          <Tabs.Tab value="runs">Runs</Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
        </TabBar>
        <Tabs.Panel value="messages">
          <Messages scenario={scenario} />
        </Tabs.Panel>
        <Tabs.Panel value="variables">
          <ScenarioVariables scenario={scenario} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <ScenarioRuns scenario={scenario} action={runButton} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <ScenarioSettings scenario={scenario} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

export function ScenariosLink() {
  const params = { projectId: String(useProjectId()) };
  return (
    <Anchor c="inherit" renderRoot={props => <Link {...props} to="/projects/$projectId/scenarios" params={params} />}>
      Scenarios
    </Anchor>
  );
}

function Messages({ scenario }: { scenario: ScenarioView }) {
  const { message } = useSearch({ strict: false }) as ScenarioSearch;
  const names = useNames();
  const selected = scenario.messages.find(({ id }) => id === message) ?? scenario.messages[0];
  if (selected === undefined) return <MessageList scenario={scenario} selectedId={null} />;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 4 }}>
        <MessageList scenario={scenario} selectedId={selected.id} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <MessagePanel key={selected.id} id={selected.id} scenario={scenario} names={names} />
      </Grid.Col>
    </Grid>
  );
}
