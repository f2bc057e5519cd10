import { useApolloClient, useQuery } from '@apollo/client/react';
import { ActionIcon, Alert, Anchor, Button, Menu, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { assertAccepted } from '@/api/errors';
import { IconDots, IconSitemap, IconTags, IconTrash, IconVariable } from '@/icons';
import { useAction } from '@/shared/action';
import { ConfirmDialog } from '@/shared/confirm-dialog';
import { EmptyState } from '@/shared/empty-state';
import { Money } from '@/shared/money';
import { PageHeader } from '@/shared/page-header';
import { QueryView } from '@/shared/query-view';
import { RelativeTime } from '@/shared/time';
import { useProjectId } from '@/shared/use-project';
import { ClusterPicture } from './cluster-picture';
import { ClusterTable } from './cluster-table';
import { CreateVariableDialog } from './create-variable-dialog';
import { isRunning, KeywordRunStatus, titleOf } from './keyword-run-status';
import { KeywordTable } from './keyword-table';
import {
  ClusterKeywordsDocument,
  DeleteKeywordRunDocument,
  KeywordRunDetailDocument,
  type KeywordRunDetailQuery,
} from './keywords.generated';
import type { KeywordRunSearch } from './routes';

export type KeywordRunView = NonNullable<KeywordRunDetailQuery['keywordRun']>;

export function KeywordRunScreen() {
  const { keywordRunId } = useParams({ strict: false }) as { keywordRunId: string };
  const query = useQuery(KeywordRunDetailDocument, { variables: { id: Number(keywordRunId) } });
  const refresh = () => void query.refetch().catch(() => undefined);
  return <QueryView query={query}>{({ keywordRun }) => <RunView run={keywordRun} onEnd={refresh} />}</QueryView>;
}

function RunView({ run, onEnd }: { run: KeywordRunView; onEnd: () => void }) {
  const { status, error, keywordsCount, clusters, cost, createdAt } = run;
  const description = (
    <>
      {keywordsCount.toLocaleString()} keywords · {clusters.length.toLocaleString()} clusters · <Money usd={cost.usd} />{' '}
      · <RelativeTime at={createdAt} />
    </>
  );
  return (
    <>
      <PageHeader
        title={titleOf(run)}
        badges={<KeywordRunStatus run={run} onEnd={onEnd} />}
        description={description}
        trail={[{ label: 'Keywords', link: <KeywordsLink /> }]}
        actions={<RunActions run={run} />}
      />
      {status === 'FAILED' && (
        <Alert color="red" title="The run failed" role="alert">
          {error}
        </Alert>
      )}
      {isRunning(status) && (
        <EmptyState icon={IconTags} title="Keywords are being found">
          They appear here as soon as the run has finished.
        </EmptyState>
      )}
      {status === 'SUCCEEDED' && <Results run={run} />}
    </>
  );
}

function KeywordsLink() {
  const params = { projectId: String(useProjectId()) };
  return (
    <Anchor c="inherit" renderRoot={props => <Link {...props} to="/projects/$projectId/keywords" params={params} />}>
      Keywords
    </Anchor>
  );
}

function useCluster(id: number) {
  const { act, isBusy } = useAction();
  const cluster = () =>
    act(
      ClusterKeywordsDocument,
      { id },
      {
        failure: 'Not grouped',
        success: 'The keywords are grouped.',
        refetchQueries: ['KeywordRunDetail', 'RunKeywords'],
      },
    );
  return { cluster, isBusy };
}

function RunActions({ run }: { run: KeywordRunView }) {
  const { id, status, clusters, project } = run;
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const client = useApolloClient();
  const { cluster, isBusy } = useCluster(id);
  const [isDeleting, dialog] = useDisclosure(false);
  const [isCreating, variable] = useDisclosure(false);
  if (!project.canEdit) return null;
  const remove = async () => {
    const { data } = await client.mutate({ mutation: DeleteKeywordRunDocument, variables: { id } });
    assertAccepted(data);
    await navigate({ to: '/projects/$projectId/keywords', params: { projectId } });
  };
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label="Actions for this run" size="lg">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {status === 'SUCCEEDED' && (
            <Menu.Item leftSection={<IconSitemap size={16} />} disabled={isBusy} onClick={() => void cluster()}>
              {clusters.length === 0 ? 'Group similar keywords' : 'Group again'}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={dialog.open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {status === 'SUCCEEDED' && (
        <Button leftSection={<IconVariable size={16} />} onClick={variable.open}>
          Create variable
        </Button>
      )}
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={dialog.close}
        title="Delete this run?"
        confirmLabel="Delete run"
        onConfirm={remove}
      >
        Its keywords are deleted. Variables keep their values. This cannot be undone.
      </ConfirmDialog>
      <CreateVariableDialog run={run} isOpen={isCreating} onClose={variable.close} />
    </>
  );
}

function Results({ run }: { run: KeywordRunView }) {
  const { view = 'keywords' } = useSearch({ strict: false }) as KeywordRunSearch;
  const navigate = useNavigate();
  return (
    <Tabs
      value={view}
      keepMounted={false}
      onChange={next =>
        void navigate({ to: '.', search: next === 'keywords' ? {} : { view: next }, replace: true } as never)
      }
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="keywords">Keywords</Tabs.Tab>
        <Tabs.Tab value="clusters">Clusters</Tabs.Tab>
        <Tabs.Tab value="picture">Picture</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="keywords">
        <KeywordTable run={run} />
      </Tabs.Panel>
      <Tabs.Panel value="clusters">
        <WithClusters run={run}>
          <ClusterTable run={run} />
        </WithClusters>
      </Tabs.Panel>
      <Tabs.Panel value="picture">
        <WithClusters run={run}>
          <ClusterPicture clusters={run.clusters} />
        </WithClusters>
      </Tabs.Panel>
    </Tabs>
  );
}

function WithClusters({ run: { id, clusters, project }, children }: { run: KeywordRunView; children: ReactNode }) {
  const { cluster, isBusy } = useCluster(id);
  if (clusters.length > 0) return children;
  const action = project.canEdit ? (
    <Button leftSection={<IconSitemap size={16} />} loading={isBusy} onClick={() => void cluster()}>
      Group similar keywords
    </Button>
  ) : (
    <Text fz="sm">An editor of the project can group them.</Text>
  );
  return (
    <EmptyState icon={IconSitemap} title="The keywords are not grouped yet" action={action}>
      A cluster holds keywords with similar spelling. It is named after its strongest member.
    </EmptyState>
  );
}
