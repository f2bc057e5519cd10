import { useQuery, useSubscription } from '@apollo/client/react';
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { IconHistory } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { QueryView } from '@/shared/layout/query-view';
import { countOf } from '@/shared/lists/count';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { Money } from '@/shared/money';
import { useProjectRole } from '@/shared/project/use-role';
import { useEnd } from '@/shared/use-end';
import {
  CancelRehearsalDocument,
  RehearsalOfDocument,
  type RehearsalStateFragment,
  type RehearsedRunFragment,
  WatchRehearsalDocument,
} from './rehearsals.generated';
import { Milliseconds, RehearsedRunLink, RehearsedRunPanel } from './rehearsed-run';

const SIZE = 20;
const VERDICTS = {
  UNCHANGED: { color: 'green', text: 'All runs end as recorded.' },
  CHANGED: { color: 'yellow', text: 'Some runs end differently. None fails that succeeded.' },
  FAILED: { color: 'red', text: 'A run fails that succeeded.' },
  INCOMPLETE: { color: 'orange', text: 'Some runs could not be rehearsed to their end.' },
};
/** The causes of a result that findings name without a version or model. */
const CAUSES: Partial<Record<string, string>> = {
  INPUT: 'The inputs of the two runs differ.',
  ANSWER: 'A node got another answer to the same request.',
  TOOL_PINS: 'A tool of an MCP server has changed.',
  UNKNOWN: 'No change was found that can be replayed.',
};

/** A rehearsal with its runs, as it proceeds. */
export function RehearsalView({ id }: { id: string }) {
  const [page, setPage] = useState(1);
  const [openId, setOpenId] = useState<string | null>(null);
  const query = useQuery(RehearsalOfDocument, {
    variables: { id, page, size: SIZE },
    fetchPolicy: 'cache-and-network',
  });
  return (
    <QueryView query={query}>
      {({ workflowRehearsal: rehearsal, workflowRehearsedRuns: runs }) => (
        <Stack>
          <RehearsalState rehearsal={rehearsal} onEnd={() => void query.refetch().catch(() => undefined)} />
          <DataTable
            label="Rehearsed runs"
            columns={columnsOf(rehearsal.kind === 'BISECT', openId, setOpenId)}
            rows={runs.items}
            keyOf={run => run.id}
            empty={
              <EmptyState icon={IconHistory} title="No runs">
                {rehearsal.kind === 'BISECT' ? 'No replay was needed.' : 'No finished run matches.'}
              </EmptyState>
            }
            pages={{ page, size: SIZE, total: runs.total, onPage: setPage }}
          />
          {runs.items
            .filter(run => run.id === openId)
            .map(run => (
              <RehearsedRunPanel key={run.id} run={run} onClose={() => setOpenId(null)} />
            ))}
        </Stack>
      )}
    </QueryView>
  );
}

function RehearsalState({ rehearsal, onEnd }: { rehearsal: RehearsalStateFragment; onEnd: () => void }) {
  const { id, state, verdict, error, finding, runsCount, endedCount, spent, budget } = rehearsal;
  const isUnfinished = state === 'QUEUED' || state === 'RUNNING';
  useSubscription(WatchRehearsalDocument, { variables: { id }, skip: !isUnfinished, ignoreResults: true });
  useEnd(isUnfinished, onEnd);
  const cancel = useAction(CancelRehearsalDocument, { failure: 'Not cancelled' });
  const { isEditor } = useProjectRole();
  return (
    <Stack gap="xs">
      {isUnfinished && (
        <>
          <Progress value={runsCount === 0 ? 0 : (100 * endedCount) / runsCount} aria-label="Progress" />
          <Group justify="space-between">
            <Text fz="sm">{`${endedCount} of ${runsCount} runs`}</Text>
            {isEditor && (
              <Button size="xs" variant="default" loading={cancel.isBusy} onClick={() => void cancel.run({ id })}>
                Cancel the rehearsal
              </Button>
            )}
          </Group>
        </>
      )}
      {verdict && runsCount > 0 && <Alert color={VERDICTS[verdict].color}>{VERDICTS[verdict].text}</Alert>}
      {verdict && runsCount === 0 && <Alert color="gray">No run was rehearsed, so this says nothing.</Alert>}
      {finding && <Alert>{findingText(finding)}</Alert>}
      {state === 'CANCELLED' && <Alert color="gray">The rehearsal was cancelled.</Alert>}
      {error !== null && (
        <Alert color="red" role="alert">
          {error}
        </Alert>
      )}
      <Text fz="sm">
        Spent <Money usd={spent.usd} /> of <Money usd={budget.usd} />. Recorded cost of the runs{' '}
        <Money usd={rehearsal.costBefore.usd} />, with the change <Money usd={rehearsal.costAfter.usd} />.
      </Text>
    </Stack>
  );
}

function findingText(finding: NonNullable<RehearsalStateFragment['finding']>): string {
  const { cause, revisionNumber, previousNumber, modelBefore, modelAfter, changesCount, replaysCount } = finding;
  const texts: Partial<Record<typeof cause, string>> = {
    REVISION: `Version ${revisionNumber} has the bad result, version ${previousNumber} the good one.`,
    MODEL: `The same request went to ${modelAfter ?? 'another model'} instead of ${modelBefore ?? 'the earlier one'}.`,
  };
  const counts = `${countOf(changesCount, 'change')}, ${countOf(replaysCount, 'replay')}.`;
  return `${texts[cause] ?? CAUSES[cause]} ${counts}`;
}

function columnsOf(
  isBisection: boolean,
  openId: string | null,
  onOpen: (id: string | null) => void,
): Column<RehearsedRunFragment>[] {
  return [
    { id: 'version', header: 'Version', isWide: true, cell: run => run.revisionNumber ?? '–' },
    {
      id: 'outcome',
      header: 'Result',
      cell: run => {
        if (run.outcome === null) return 'Waiting';
        return (
          <RehearsedRunLink
            run={run}
            label={isBisection ? (run.isBad ? 'Bad' : 'Good') : undefined}
            isOpen={run.id === openId}
            onOpen={() => onOpen(run.id === openId ? null : run.id)}
          />
        );
      },
    },
    {
      id: 'change',
      header: 'First difference',
      cell: run => (
        <Text fz="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {run.firstChange ? differenceOf(run.firstChange) : (run.errorAfter ?? '–')}
        </Text>
      ),
    },
    { id: 'calls', header: 'Calls', isWide: true, cell: run => run.executedCount },
    {
      id: 'cost',
      header: 'Cost',
      isWide: true,
      cell: run => (
        <>
          <Money usd={run.costBefore?.usd} /> {'→\u00A0'}
          <Money usd={run.costAfter?.usd} />
        </>
      ),
    },
    {
      id: 'duration',
      header: 'Duration',
      isWide: true,
      cell: run => (
        <>
          <Milliseconds value={run.durationBeforeMs} /> {'→\u00A0'}
          <Milliseconds value={run.durationAfterMs} />
        </>
      ),
    },
    {
      // Calls with effects that the rehearsal did not make, with or without a recorded answer instead.
      id: 'held',
      header: 'Held back',
      isWide: true,
      cell: run => run.assumedNodeIds.length + run.heldNodeIds.length,
    },
  ];
}

function differenceOf({ label, before, after }: NonNullable<RehearsedRunFragment['firstChange']>): string {
  return `${label}: ${before ?? 'not executed'} → ${after ?? 'not executed'}`;
}
