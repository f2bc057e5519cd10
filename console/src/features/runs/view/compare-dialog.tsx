import { useQuery } from '@apollo/client/react';
import { Group, Modal, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { QueryView } from '@/shared/layout/query-view';
import { Money } from '@/shared/money';
import { StatusBadge } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import { isUuid } from '@/shared/uuid';
import { RunsToCompareDocument } from './compare-dialog.generated';
import type { RunDetailsFragment } from './run.generated';

/** Chooses the other run: one of the same workflow, or any by its id. */
export function CompareDialog({ run, onClose }: { run: RunDetailsFragment; onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const projectId = run.project.id;
  const query = useQuery(RunsToCompareDocument, { variables: { workflowId: run.workflowId, projectId } });
  const open = (other: string) =>
    void navigate({
      to: '/projects/$projectId/runs/compare',
      params: { projectId: String(projectId) },
      search: { left: other, right: run.id },
    });
  const id = text.trim();
  return (
    <Modal opened onClose={onClose} title="Compare with another run">
      <form
        onSubmit={event => {
          event.preventDefault();
          if (isUuid(id)) open(id);
        }}
      >
        <TextInput
          label="Id of a run"
          placeholder="Paste an id and press Enter"
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          error={id !== '' && !isUuid(id) ? 'This is not the id of a run.' : undefined}
          mb="sm"
          data-autofocus
        />
      </form>
      <Text fz="sm" c="dimmed" mb={4}>
        {run.workflowId === null ? 'Runs of this project' : 'Runs of this workflow'}
      </Text>
      <QueryView query={query}>
        {({ workflowRuns: { items } }) => {
          const others = items.filter(one => one.id !== run.id);
          if (others.length === 0)
            return (
              <Text fz="sm" py="md" ta="center" c="dimmed">
                There is no other run yet.
              </Text>
            );
          return others.map(other => (
            <UnstyledButton key={other.id} className="run-choice" onClick={() => open(other.id)}>
              <Group justify="space-between" wrap="nowrap">
                <StatusBadge state={other.state} />
                <Text fz="sm" c="dimmed">
                  <RelativeTime at={other.createdAt} />
                </Text>
                <Text fz="sm">
                  <Money usd={other.cost.usd} />
                </Text>
              </Group>
            </UnstyledButton>
          ));
        }}
      </QueryView>
    </Modal>
  );
}
