import { Tabs } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { PageHeader } from '@/shared/layout/page-header';
import { TabBar } from '@/shared/layout/tab-bar';
import { oneOf, useSetSearch } from '@/shared/lists/list-search';
import { AuditSection } from '../audit/audit-section';
import { CategoriesSection } from './categories-section';
import { DeadLettersSection } from './dead-letters-section';
import { HealthSection } from './health-section';
import { MaintenanceSection } from './maintenance-section';
import { UsersSection } from './users-section';

const SECTIONS = ['users', 'categories', 'health', 'dead-letters', 'maintenance', 'audit'] as const;

/** The settings for administrators of the service. The service refuses the requests of other users. */
export function AdminScreen() {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const setSearch = useSetSearch<{ section?: (typeof SECTIONS)[number]; page?: number }>();
  const section = oneOf(search.section, SECTIONS) ?? 'users';
  return (
    <>
      <PageHeader title="Administration" />
      <Tabs
        value={section}
        onChange={next => setSearch({ section: next === 'users' ? undefined : oneOf(next, SECTIONS) })}
        keepMounted={false}
      >
        <TabBar mb="lg">
          <Tabs.Tab value="users">Users</Tabs.Tab>
          <Tabs.Tab value="categories">Categories</Tabs.Tab>
          <Tabs.Tab value="health">System health</Tabs.Tab>
          <Tabs.Tab value="dead-letters">Dead letters</Tabs.Tab>
          <Tabs.Tab value="maintenance">Maintenance</Tabs.Tab>
          <Tabs.Tab value="audit">Audit log</Tabs.Tab>
        </TabBar>
        <Tabs.Panel value="users">
          <UsersSection />
        </Tabs.Panel>
        <Tabs.Panel value="categories">
          <CategoriesSection />
        </Tabs.Panel>
        <Tabs.Panel value="health">
          <HealthSection />
        </Tabs.Panel>
        <Tabs.Panel value="dead-letters">
          <DeadLettersSection />
        </Tabs.Panel>
        <Tabs.Panel value="maintenance">
          <MaintenanceSection />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <AuditSection projectId={null} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
