import { useQuery } from '@apollo/client/react';
import { Group, Paper, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useMemo } from 'react';
import { BarChart } from '@/shared/charts/bar-chart';
import { RunChart } from '@/shared/charts/run-chart';
import { DAY_MS, intervalsOf, labelOf, type TimeRange } from '@/shared/charts/time-range';
import { QueryView } from '@/shared/layout/query-view';
import { countOf } from '@/shared/lists/count';
import { formatUsd } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { HomeChartsDocument } from './home.generated';

const DAYS = 14;
const CHART_HEIGHT = 132;

/** Ended runs by result and costs, for each of the last 14 days in UTC, as the service groups them. */
export function HomeCharts() {
  const projectId = useProjectId();
  const range = useMemo((): TimeRange => {
    const to = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS);
    return { from: new Date(to.getTime() - DAYS * DAY_MS), to, interval: 'DAY' };
  }, []);
  const variables = { projectId, from: range.from.toISOString(), to: range.to.toISOString() };
  const query = useQuery(HomeChartsDocument, { variables, fetchPolicy: 'cache-and-network' });
  return (
    <QueryView query={query} skeleton={<ChartsSkeleton />}>
      {({ runs, costs }) => {
        const perDay = new Map(costs.items.map(({ start, cost }) => [Date.parse(start ?? ''), Number(cost.usd)]));
        const points = intervalsOf(range).map(start => ({
          label: labelOf(start, range.interval),
          values: { cost: perDay.get(start.getTime()) ?? 0 },
        }));
        return (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" mb="lg">
            <Card title="Ended runs" total={countOf(runs.runs, 'run')}>
              <RunChart height={CHART_HEIGHT} items={runs.items} range={range} />
            </Card>
            <Card title="Costs" total={formatUsd(costs.total.usd)}>
              <BarChart
                label={`Costs per day: ${formatUsd(costs.total.usd)} in ${DAYS} days`}
                height={CHART_HEIGHT}
                points={points}
                series={[{ name: 'cost', label: 'Costs', color: 'brand.5' }]}
                format={value => formatUsd(String(value))}
              />
            </Card>
          </SimpleGrid>
        );
      }}
    </QueryView>
  );
}

function Card({ title, total, children }: { title: string; total: string; children: ReactNode }) {
  const id = useId();
  return (
    <Paper p="md" component="section" aria-labelledby={id}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} id={id} fz="sm">
          {title}
        </Title>
        <Text fz="sm" c="dimmed" className="tabular">
          {total} in {DAYS} days
        </Text>
      </Group>
      {children}
    </Paper>
  );
}

function ChartsSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" mb="lg" aria-busy="true">
      <Skeleton height={210} radius="md" />
      <Skeleton height={210} radius="md" />
    </SimpleGrid>
  );
}
