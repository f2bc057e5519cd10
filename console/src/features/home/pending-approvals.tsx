import { useQuery } from '@apollo/client/react';
import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { QueryView } from '@/shared/layout/query-view';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import { HomeApprovalsDocument } from './home.generated';

/** Approvals that wait for a decision, the oldest first. */
export function PendingApprovals() {
  const projectId = useProjectId();
  const query = useQuery(HomeApprovalsDocument, { variables: { projectId } });
  const params = { projectId: String(projectId) };
  return (
    <section aria-label="Pending approvals">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Pending approvals</Title>
        <Anchor fz="sm" renderRoot={props => <Link {...props} to="/projects/$projectId/approvals" params={params} />}>
          Inbox
        </Anchor>
      </Group>
      <Paper p="md">
        <QueryView query={query}>
          {({ agentApprovals: { items } }) => {
            // A decision on another screen changes the status in the cache, not the list.
            const pending = items.filter(({ status }) => status === 'PENDING');
            if (pending.length === 0)
              return (
                <Text fz="sm" c="dimmed">
                  Nothing waits for you. Agents that ask before they act, and questions of approval nodes, appear here.
                </Text>
              );
            return (
              <Stack gap="sm">
                {pending.map(({ requestId, tool, kind, question, requestedAt }) => (
                  <Group key={requestId} justify="space-between" wrap="nowrap">
                    <Text fz="sm" fw={500} truncate>
                      {question?.title ?? tool ?? kind}
                    </Text>
                    <Text fz="xs" c="dimmed">
                      <RelativeTime at={requestedAt} />
                    </Text>
                  </Group>
                ))}
              </Stack>
            );
          }}
        </QueryView>
      </Paper>
    </section>
  );
}
