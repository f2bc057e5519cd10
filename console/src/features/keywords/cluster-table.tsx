import { Badge, Group, Text } from '@mantine/core';
import { type Column, DataTable } from '@/shared/lists/data-table';
import type { KeywordRunView } from './keyword-run-screen';

type Cluster = KeywordRunView['clusters'][number];

const columns: Column<Cluster>[] = [
  {
    id: 'name',
    header: 'Cluster',
    width: '30%',
    cell: ({ name }) => (
      <Text fz="sm" fw={500}>
        {name}
      </Text>
    ),
  },
  {
    id: 'count',
    header: 'Keywords',
    align: 'end',
    width: '6rem',
    cell: ({ keywords }) => <span className="tabular">{keywords.length.toLocaleString()}</span>,
  },
  {
    id: 'keywords',
    header: 'Members',
    cell: ({ keywords }) => (
      <Group gap={4} py={4}>
        {keywords.map(({ id, name, isEnabled }) => (
          <Badge
            key={id}
            variant="default"
            tt="none"
            fw={400}
            td={isEnabled ? undefined : 'line-through'}
            c={isEnabled ? undefined : 'dimmed'}
            title={isEnabled ? undefined : 'Disabled'}
          >
            {name}
          </Badge>
        ))}
      </Group>
    ),
  },
];

/** The clusters of a keyword run with their keywords, the largest first. */
export function ClusterTable({ run: { clusters } }: { run: KeywordRunView }) {
  const rows = clusters.toSorted((a, b) => b.keywords.length - a.keywords.length);
  return <DataTable label="Clusters" columns={columns} rows={rows} keyOf={({ id }) => id} empty={null} />;
}
