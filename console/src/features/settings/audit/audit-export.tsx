import { useApolloClient } from '@apollo/client/react';
import { ExportMenu } from '@/shared/lists/export-menu';
import { AuditLogDocument, type AuditRowFragment } from './audit.generated';
import type { toFilter } from './audit-search';

const SIZE = 100;
/** An export stops here: a browser holds the file in memory. */
const MAX_ROWS = 20_000;

const COLUMNS = [
  ...['time', 'action', 'person', 'user_id', 'via', 'address', 'object_type', 'object_id', 'project_id', 'detail'],
];

export function AuditExport({ projectId, filter }: { projectId: number | null; filter: ReturnType<typeof toFilter> }) {
  const client = useApolloClient();
  const load = async () => {
    const rows: AuditRowFragment[] = [];
    for (let after: string | null = null; rows.length < MAX_ROWS; ) {
      const variables: { projectId: number | null; filter: typeof filter; first: number; after: string | null } = {
        ...{ projectId, filter, first: SIZE, after },
      };
      const { data } = await client.query({ query: AuditLogDocument, variables, fetchPolicy: 'no-cache' });
      const list = data?.auditLogConnection;
      rows.push(...(list?.nodes ?? []));
      after = list?.pageInfo.endCursor ?? null;
      if (!list?.pageInfo.hasNextPage || after === null) break;
    }
    return rows;
  };
  return (
    <ExportMenu
      name="audit-log"
      unit="entry"
      units="entries"
      load={load}
      maxRows={MAX_ROWS}
      columns={COLUMNS}
      valuesOf={valuesOf}
    />
  );
}

function valuesOf(row: AuditRowFragment) {
  return [
    ...[row.createdAt, row.action, row.userEmail, row.userId, row.via, row.address, row.objectType, row.objectId],
    ...[row.projectId, JSON.stringify(row.detail)],
  ];
}
