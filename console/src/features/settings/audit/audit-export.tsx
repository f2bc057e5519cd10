import { useApolloClient } from '@apollo/client/react';
import { ExportMenu } from '@/shared/lists/export-menu';
import { AuditLogDocument, type AuditLogQueryVariables, type AuditRowFragment } from './audit.generated';
import type { toFilter } from './audit-search';

/** Entries of one request. */
const SIZE = 100;
/** An export stops here: a browser holds the file in memory. */
const MAX_ROWS = 20_000;

const COLUMNS = [
  'time',
  'action',
  'person',
  'user_id',
  'via',
  'address',
  'object_type',
  'object_id',
  'project_id',
  'detail',
];

/** Saves the filtered entries of the audit log, the newest first. */
export function AuditExport({ projectId, filter }: { projectId: number | null; filter: ReturnType<typeof toFilter> }) {
  const client = useApolloClient();
  const load = async () => {
    const rows: AuditRowFragment[] = [];
    let after: string | null = null;
    do {
      // The type is stated because the cursor of the next request depends on the result.
      const variables: AuditLogQueryVariables = { projectId, filter, first: SIZE, after };
      const { data } = await client.query({ query: AuditLogDocument, variables, fetchPolicy: 'no-cache' });
      const list = data?.auditLogConnection;
      rows.push(...(list?.nodes ?? []));
      after = list?.pageInfo.hasNextPage ? (list.pageInfo.endCursor ?? null) : null;
    } while (after !== null && rows.length < MAX_ROWS);
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

/** The values of `COLUMNS`. */
function valuesOf(row: AuditRowFragment) {
  return [
    row.createdAt,
    row.action,
    row.userEmail,
    row.userId,
    row.via,
    row.address,
    row.objectType,
    row.objectId,
    row.projectId,
    JSON.stringify(row.detail),
  ];
}
