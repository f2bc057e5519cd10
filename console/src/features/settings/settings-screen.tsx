import { Tabs } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { PageHeader } from '@/shared/layout/page-header';
import { TabBar } from '@/shared/layout/tab-bar';
import { oneOf, useSetSearch } from '@/shared/lists/list-search';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';
import { ApisSection } from './apis/apis-section';
import { AuditSection } from './audit/audit-section';
import { ConnectionsSection } from './connections/connections-section';
import { KeyValuesSection } from './key-values/key-values-section';
import { KeysSection } from './keys/keys-section';
import { ProviderKeysSection } from './keys/provider-keys-section';
import { MembersSection } from './members/members-section';
import { GeneralSection } from './project/general-section';
import { VariablesSection } from './variables/variables-section';
import { WebhooksSection } from './webhooks/webhooks-section';

const SECTIONS = [
  'general',
  'members',
  'connections',
  'apis',
  'variables',
  'values',
  'keys',
  'providers',
  'webhooks',
  'audit',
] as const;
type SectionName = (typeof SECTIONS)[number];

interface SettingsSearch {
  section?: SectionName;
  page?: number;
  q?: string;
}

/** The settings of the project. Only admins see its provider keys, webhooks and audit log. */
export function SettingsScreen() {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const section = oneOf(search.section, SECTIONS) ?? 'general';
  const setSearch = useSetSearch<SettingsSearch>();
  const { isAdmin } = useProjectRole();
  const projectId = useProjectId();
  return (
    <>
      <PageHeader title="Settings" />
      <Tabs
        value={section}
        onChange={next => setSearch({ q: undefined, section: next === 'general' ? undefined : oneOf(next, SECTIONS) })}
        keepMounted={false}
      >
        <TabBar mb="lg">
          <Tabs.Tab value="general">General</Tabs.Tab>
          <Tabs.Tab value="members">Members</Tabs.Tab>
          <Tabs.Tab value="connections">Connections</Tabs.Tab>
          <Tabs.Tab value="apis">APIs</Tabs.Tab>
          <Tabs.Tab value="variables">Variables</Tabs.Tab>
          <Tabs.Tab value="values">Key-value store</Tabs.Tab>
          <Tabs.Tab value="keys">API keys</Tabs.Tab>
          {(isAdmin || section === 'providers') && <Tabs.Tab value="providers">Provider keys</Tabs.Tab>}
          {(isAdmin || section === 'webhooks') && <Tabs.Tab value="webhooks">Webhooks</Tabs.Tab>}
          {(isAdmin || section === 'audit') && <Tabs.Tab value="audit">Audit log</Tabs.Tab>}
        </TabBar>
        <Tabs.Panel value="general">
          <GeneralSection />
        </Tabs.Panel>
        <Tabs.Panel value="members">
          <MembersSection />
        </Tabs.Panel>
        <Tabs.Panel value="connections">
          <ConnectionsSection />
        </Tabs.Panel>
        <Tabs.Panel value="apis">
          <ApisSection />
        </Tabs.Panel>
        <Tabs.Panel value="variables">
          <VariablesSection />
        </Tabs.Panel>
        <Tabs.Panel value="values">
          <KeyValuesSection />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <KeysSection />
        </Tabs.Panel>
        <Tabs.Panel value="providers">
          <ProviderKeysSection />
        </Tabs.Panel>
        <Tabs.Panel value="webhooks">
          <WebhooksSection />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <AuditSection projectId={projectId} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
