import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Button, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconSitemap, IconTags, IconTrash, IconVariable } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { TabBar } from '@/shared/layout/tab-bar';
import { countOf } from '@/shared/lists/count';
import { RowMenu } from '@/shared/lists/row-menu';
import { Money } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
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

/** One keyword run: its keywords, its clusters and their picture. */
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
      {countOf(keywordsCount, 'keyword')} · {countOf(clusters.length, 'cluster')} · <Money usd={cost.usd} /> ·{' '}
      <RelativeTime at={createdAt} />
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

/** Groups the keywords of a run by similar spelling. */
function useClustering(id: number) {
  const { run, isBusy } = useAction(ClusterKeywordsDocument, {
    failure: 'Not grouped',
    success: 'The keywords are grouped.',
    refetchQueries: ['KeywordRunDetail', 'RunKeywords'],
  });
  return { cluster: () => run({ id }), isBusy };
}

function RunActions({ run }: { run: KeywordRunView }) {
  const { id, status, clusters, project } = run;
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const { cluster, isBusy } = useClustering(id);
  const remove = useAction(DeleteKeywordRunDocument, { failure: 'Not deleted' });
  const [isCreating, variable] = useDisclosure(false);
  if (!project.canEdit) return null;
  return (
    <>
      <RowMenu
        label="Actions for this run"
        button={{ size: 'lg' }}
        actions={[
          status === 'SUCCEEDED' && {
            label: clusters.length === 0 ? 'Group similar keywords' : 'Group again',
            icon: IconSitemap,
            isDisabled: isBusy,
            onClick: cluster,
          },
          {
            label: 'Delete',
            icon: IconTrash,
            confirmation: {
              title: 'Delete this run?',
              text: 'Its keywords are deleted. Variables keep their values. This cannot be undone.',
              confirmLabel: 'Delete run',
              onConfirm: async () => {
                await remove.runOrThrow({ id });
                await navigate({ to: '/projects/$projectId/keywords', params: { projectId } });
              },
            },
          },
        ]}
      />
      {status === 'SUCCEEDED' && (
        <Button leftSection={<IconVariable size={16} />} onClick={variable.open}>
          Create variable
        </Button>
      )}
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
      <TabBar mb="md">
        <Tabs.Tab value="keywords">Keywords</Tabs.Tab>
        <Tabs.Tab value="clusters">Clusters</Tabs.Tab>
        <Tabs.Tab value="picture">Picture</Tabs.Tab>
      </TabBar>
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

/** The children if the keywords are grouped, otherwise a button that groups them. */
function WithClusters({ run: { id, clusters, project }, children }: { run: KeywordRunView; children: ReactNode }) {
  const { cluster, isBusy } = useClustering(id);
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
