import { useQuery } from '@apollo/client/react';
import { Box, Button, Group, Pagination, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '@/shared/forms/use-action';
import { QueryView } from '@/shared/layout/query-view';
import { usePastEnd } from '@/shared/lists/data-table';
import { SortableList } from '@/shared/lists/sortable-list';
import { useProjectId } from '@/shared/project/use-project';
import { ReorderWorkflowDocument, WorkflowPositionsDocument } from './workflows.generated';

/** The size of a page in the query `WorkflowPositions`. */
const PAGE_SIZE = 100;

/** The workflows of the project in their own order, changed by drag or by keyboard. */
export function WorkflowOrder({ onDone }: { onDone: () => void }) {
  const projectId = useProjectId();
  const [page, setPage] = useState(1);
  const variables = { projectId, page };
  const query = useQuery(WorkflowPositionsDocument, { variables, fetchPolicy: 'cache-and-network' });
  const reorder = useAction(ReorderWorkflowDocument, {
    failure: 'Not moved',
    refetchQueries: ['WorkflowPositions', 'Workflows'],
  });
  const list = query.data?.workflows;
  const total = list?.total ?? 0;
  usePastEnd({ page, size: PAGE_SIZE, total, onPage: setPage }, list?.items.length);
  return (
    <>
      <Group justify="space-between" mb="md" wrap="nowrap">
        <Text fz="sm" c="dimmed">
          Drag a workflow to its place, or focus its handle and press space and the arrow keys.
        </Text>
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
      <QueryView query={query}>
        {({ workflows }) => (
          <Box className="console-card">
            <SortableList
              label="Order of workflows"
              className="console-rows"
              items={workflows.items}
              keyOf={({ id }) => id}
              nameOf={({ title }) => title}
              onMove={async (item, target) => (await reorder.run({ id: item.id, sortId: target.sortId })) !== null}
            >
              {({ title }, handle) => (
                <Group wrap="nowrap" gap="sm" px="sm" py="xs">
                  {handle}
                  <Text fw={500} fz="sm" truncate>
                    {title}
                  </Text>
                </Group>
              )}
            </SortableList>
          </Box>
        )}
      </QueryView>
      {total > PAGE_SIZE && (
        <Pagination
          mt="sm"
          size="sm"
          total={Math.ceil(total / PAGE_SIZE)}
          value={page}
          onChange={setPage}
          getControlProps={control => ({ 'aria-label': `${control} page` })}
        />
      )}
    </>
  );
}
