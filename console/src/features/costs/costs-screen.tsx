import { Tabs } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { PageHeader } from '@/shared/layout/page-header';
import { TabBar } from '@/shared/layout/tab-bar';
import { useSetSearch } from '@/shared/lists/list-search';
import { toRange } from './cost-range';
import { type CostSearch, costSearch } from './cost-search';
import { LedgerView } from './ledger-view';
import { OverviewView } from './overview-view';
import { RangePicker } from './range-picker';

/** The costs of the project: charts, budget and ledger. */
export function CostsScreen() {
  const search = costSearch(useSearch({ strict: false }));
  const setSearch = useSetSearch<CostSearch>();
  const { range: name, from, to, view = 'overview' } = search;
  const range = useMemo(() => toRange({ range: name, from, to }), [name, from, to]);
  return (
    <>
      <PageHeader title="Costs" description="Days and months are in UTC." actions={<RangePicker search={search} />} />
      <Tabs
        value={view}
        onChange={next => setSearch({ view: next === 'ledger' ? 'ledger' : undefined })}
        keepMounted={false}
      >
        <TabBar mb="lg">
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="ledger">Ledger</Tabs.Tab>
        </TabBar>
        <Tabs.Panel value="overview">
          <OverviewView range={range} group={search.by ?? 'model'} />
        </Tabs.Panel>
        <Tabs.Panel value="ledger">
          <LedgerView range={range} search={search} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
