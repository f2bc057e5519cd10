import { useQuery } from '@apollo/client/react';
import {
  Anchor,
  Grid,
  Group,
  Paper,
  Progress,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { RunChart } from '@/shared/charts/run-chart';
import type { TimeRange } from '@/shared/charts/time-range';
import { QueryView } from '@/shared/layout/query-view';
import { StatCard } from '@/shared/layout/stat-card';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { formatUsd, Money } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { formatDuration } from '@/shared/time';
import { BudgetCard } from './budget-card';
import { CostChart } from './cost-chart';
import { type CostRow, chartOf, GROUPS, type GroupName, rowsOf } from './cost-groups';
import { startBefore } from './cost-range';
import type { CostSearch } from './cost-search';
import { CostOverviewDocument, type CostOverviewQuery } from './costs.generated';
import { useCostNames } from './use-cost-names';

const CHART_HEIGHT = 260;
const RUN_CHART_HEIGHT = 220;
/** Rows of the table. The service returns up to 1,000 groups. */
const MAX_ROWS = 50;
/** A smaller change of the costs, as a part of them, is shown as none. */
const MIN_CHANGE = 0.005;

/** The costs of a time range by model, workflow, API key or person, with the runs and the budget of the project. */
export function OverviewView({ range, group }: { range: TimeRange; group: GroupName }) {
  const projectId = useProjectId();
  const setSearch = useSetSearch<CostSearch>();
  const names = useCostNames();
  const chosen = GROUPS.find(({ value }) => value === group) ?? GROUPS[0];
  const query = useQuery(CostOverviewDocument, {
    variables: {
      projectId,
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      before: startBefore(range).toISOString(),
      groupBy: [chosen.group],
      interval: range.interval,
    },
  });
  return (
    <QueryView query={{ ...query, data: shownData(query) }} skeleton={<OverviewSkeleton />}>
      {({ series, groups, previous, runs }) => {
        const rows = rowsOf(groups.items, group, names);
        const { points, series: shown } = chartOf(series.items, rows, { group, names, range });
        return (
          <Stack gap="lg">
            <KeyFigures groups={groups} previous={previous} runs={runs} />
            <Paper p="lg" component="section" aria-labelledby="costs-title">
              <Group justify="space-between" mb="md" gap="sm">
                <Title order={2} id="costs-title">
                  Costs by {chosen.group === 'API_KEY' ? chosen.label : chosen.label.toLowerCase()}
                </Title>
                <SegmentedControl
                  size="xs"
                  aria-label="Group costs by"
                  data={GROUPS.map(({ value, label }) => ({ value, label }))}
                  value={group}
                  onChange={by => setSearch({ by: by === 'model' ? undefined : (by as GroupName) })}
                />
              </Group>
              {shown.length === 0 ? (
                <Text c="dimmed" fz="sm">
                  No costs in this time. Runs and chats with paid models appear here; calls of the model echo are free.
                </Text>
              ) : (
                <CostChart height={CHART_HEIGHT} points={points} series={shown} />
              )}
            </Paper>
            {rows.length > 0 && <Breakdown rows={rows} label={chosen.label} groups={groups} />}
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, md: 7 }}>
                <Paper p="lg" h="100%" component="section" aria-labelledby="runs-title">
                  <Title order={2} id="runs-title" mb="md">
                    Ended runs
                  </Title>
                  {runs.runs === 0 ? (
                    <Text c="dimmed" fz="sm">
                      No workflow run ended in this time.
                    </Text>
                  ) : (
                    <RunChart height={RUN_CHART_HEIGHT} items={runs.items} range={range} />
                  )}
                </Paper>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 5 }}>
                <BudgetCard />
              </Grid.Col>
            </Grid>
          </Stack>
        );
      }}
    </QueryView>
  );
}

/** The results of the query, as `QueryView` passes them: none of them is null. */
type Results = { [Name in keyof CostOverviewQuery]: NonNullable<CostOverviewQuery[Name]> };

function KeyFigures({ groups, previous, runs }: Pick<Results, 'groups' | 'previous' | 'runs'>) {
  const before = Number(previous.total.usd);
  const change = before === 0 ? null : Number(groups.total.usd) / before - 1;
  const tokens = groups.items.reduce((sum, item) => sum + item.promptTokens + item.completionTokens, 0);
  const output = groups.items.reduce((sum, item) => sum + item.completionTokens, 0);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <StatCard label="Spent" note={change === null ? 'Nothing spent in the period before' : changeText(change)}>
        <Money usd={groups.total.usd} />
      </StatCard>
      <StatCard label="Tokens" note={`${compact(output)} of them output`}>
        {compact(tokens)}
      </StatCard>
      <StatCard
        label="Ended runs"
        note={runs.errorRate === null ? 'No run succeeded or failed' : `${percent(runs.errorRate)} failed`}
      >
        {compact(runs.runs)}
      </StatCard>
      <StatCard
        label="Median duration"
        note={runs.durationP95Ms === null ? 'No runs' : `95% within ${formatDuration(runs.durationP95Ms / 1_000)}`}
      >
        {runs.durationP50Ms === null ? '–' : formatDuration(runs.durationP50Ms / 1_000)}
      </StatCard>
    </SimpleGrid>
  );
}

const compact = (value: number) => Intl.NumberFormat('en', { notation: 'compact' }).format(value);
const percent = (share: number) =>
  Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(share);

function changeText(change: number): string {
  if (Math.abs(change) < MIN_CHANGE) return 'As much as in the period before';
  return `${percent(Math.abs(change))} ${change > 0 ? 'more' : 'less'} than in the period before`;
}

interface BreakdownProps {
  rows: readonly CostRow[];
  label: string;
  groups: Results['groups'];
}

function Breakdown({ rows, label, groups }: BreakdownProps) {
  const columns: Column<CostRow>[] = [
    { id: 'name', header: label, cell: row => <GroupLabel row={row} /> },
    {
      id: 'share',
      header: 'Share',
      isWide: true,
      width: '22%',
      cell: ({ share, name }) => (
        <Progress value={share * 100} size="sm" aria-label={`${percent(share)} of the costs: ${name}`} />
      ),
    },
    {
      id: 'transactions',
      header: 'Charges',
      align: 'end',
      isWide: true,
      cell: row => <span className="tabular">{row.transactions.toLocaleString('en')}</span>,
    },
    {
      id: 'input',
      header: 'Input tokens',
      align: 'end',
      isWide: true,
      cell: row => <span className="tabular">{row.promptTokens.toLocaleString('en')}</span>,
    },
    {
      id: 'output',
      header: 'Output tokens',
      align: 'end',
      isWide: true,
      cell: row => <span className="tabular">{row.completionTokens.toLocaleString('en')}</span>,
    },
    { id: 'cost', header: 'Cost', align: 'end', cell: ({ usd }) => <Money usd={usd} /> },
  ];
  return (
    <div>
      <DataTable
        label={`Costs by ${label}`}
        columns={columns}
        rows={rows.slice(0, MAX_ROWS)}
        keyOf={row => `${row.name} ${row.workflowId} ${rows.indexOf(row)}`}
        empty={null}
      />
      {(groups.isShortened || rows.length > MAX_ROWS) && (
        <Text fz="xs" c="dimmed" mt={6}>
          The {MAX_ROWS} largest groups are shown. The total of {formatUsd(groups.total.usd)} includes all.
        </Text>
      )}
    </div>
  );
}

function GroupLabel({ row }: { row: CostRow }) {
  const params = { projectId: String(useProjectId()), workflowId: String(row.workflowId) };
  if (row.workflowId === null) return row.name;
  return (
    <Anchor
      c="inherit"
      renderRoot={props => <Link {...props} to="/projects/$projectId/workflows/$workflowId" params={params} />}
    >
      {row.name}
    </Anchor>
  );
}

function OverviewSkeleton() {
  return (
    <Stack gap="lg" aria-busy="true" aria-label="Loading">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        {['spent', 'tokens', 'runs', 'duration'].map(key => (
          <Skeleton key={key} height={104} radius="md" />
        ))}
      </SimpleGrid>
      <Skeleton height={340} radius="md" />
      <Skeleton height={200} radius="md" />
    </Stack>
  );
}
