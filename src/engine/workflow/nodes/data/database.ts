import { z } from 'zod';
import { parseDatabaseUrl } from '../../../database/url.js';
import { PortError } from '../../../ports.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import {
  addressReference,
  connectionField,
  connectionReferences,
  connectionSetting,
  serverChoiceFaults,
} from './connection.js';

const MAX_QUERY = 100_000;
const MAX_PARAMETERS = 1000;
const DEFAULT_ROWS = 100;
const MAX_ROWS = 1000;
const DEFAULT_TIMEOUT_SECONDS = 30;
const MAX_TIMEOUT_SECONDS = 300;
/** The database ends the statement this long before the node's own timeout, so that the error names the statement. */
const MARGIN_MS = 500;
const CONNECTION_FORM = 'must be a PostgreSQL URL, such as postgres://user:password@host:5432/database?sslmode=require';

export const database = nodeKind({
  type: 'database-node',
  nodeType: 'DatabaseNode',
  title: 'PostgreSQL query',
  description: 'Executes one SQL statement in a PostgreSQL database. The content is a JSON object with the rows.',
  category: 'integration',
  effects: 'external',
  outputs: oneOutput,
  defaults: {
    connection: '{{ env.DB }}',
    query: 'select 1 as one',
    parameters: [],
    read_only: true,
    max_rows: DEFAULT_ROWS,
    timeout_seconds: DEFAULT_TIMEOUT_SECONDS,
  },
  // Values inserted into the statement could change it. They are passed as parameters.
  verbatimMembers: ['query'],
  defaultTimeout: DEFAULT_TIMEOUT_SECONDS,
  form: {
    icon: 'database',
    color: '#0891b2',
    fields: {
      connection_id: connectionField,
      connection: { title: 'URL of the database', widget: 'text', group: 'request', isSecret: true },
      query: { title: 'SQL', widget: 'code', group: 'request' },
      parameters: { title: 'Parameters', widget: 'json', group: 'request' },
      read_only: { title: 'Read only', widget: 'switch', group: 'request' },
      max_rows: { title: 'Maximum number of rows', widget: 'number', group: 'advanced' },
    },
    content: {
      sample:
        '{"rows": [{"id": 7, "state": "SHIPPED"}], "row_count": 1, "columns": ["id", "state"], "truncated": false}',
      schema: {
        type: 'object',
        properties: {
          rows: {
            type: 'array',
            description: 'Objects by column name, at most `max_rows`.',
            items: { type: 'object' },
          },
          row_count: {
            type: 'integer',
            description: 'Number of `rows`; of a statement without rows, of those it changed.',
          },
          columns: { type: 'array', description: 'Names of the columns in order.', items: { type: 'string' } },
          truncated: { type: 'boolean', description: 'True if the statement returned more rows than `max_rows`.' },
        },
      },
    },
  },
  settings: setting =>
    z.looseObject({
      connection: setting
        .text(
          z
            .string()
            .max(4000)
            .refine(
              text => text === '' || text.includes('{{') || parseDatabaseUrl(text) !== undefined,
              CONNECTION_FORM,
            ),
        )
        .nullish()
        .describe(
          'URL of the database, `postgres://user:password@host:port/database`, at most 4000 characters; normally a secret project variable such as `{{ env.DB }}`. `?sslmode=`: `verify-full` (default), `require` (encrypted, without a check of the certificate) or `disable`. Required without `connection_id`.',
        ),
      connection_id: connectionSetting(setting, 'database'),
      query: z
        .string()
        .min(1)
        .max(MAX_QUERY)
        .describe(
          'One SQL statement with parameters `$1`, `$2`, …, 1-100000 characters. Placeholders are not replaced: pass values as parameters.',
        ),
      parameters: setting
        .value(z.array(z.unknown()).max(MAX_PARAMETERS))
        .nullish()
        .describe('Values of `$1`, `$2`, …, at most 1000. Lists and objects are sent as JSON. Default: none.'),
      read_only: setting
        .value(z.boolean())
        .nullish()
        .describe('True: the statement is executed in a read-only transaction. Default true.'),
      max_rows: setting
        .value(z.number().int().min(1).max(MAX_ROWS))
        .nullish()
        .describe('Maximum number of rows in the content, 1-1000. More are left out. Default 100.'),
      timeout_seconds: z
        .number()
        .positive()
        .max(MAX_TIMEOUT_SECONDS)
        .nullish()
        .describe('Time limit of the statement in seconds, more than 0 and at most 300. Default 30.'),
    }),
  references: data => [...addressReference(data), ...connectionReferences(data, 'database')],
  check: serverChoiceFaults,
  execute: async ({ settings, ports, call }) => {
    const { connection, connection_id, query, parameters, read_only, max_rows, timeout_seconds } = settings;
    const timeoutMs = 1000 * (timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS);
    const { rows, rowCount, columns, isTruncated } = await ports.databases.query(
      {
        connection: connection ?? '',
        ...(connection_id ? { connectionId: connection_id } : {}),
        query,
        parameters: (parameters ?? []).map(toParameter),
        isReadOnly: read_only ?? true,
        maxRows: max_rows ?? DEFAULT_ROWS,
        timeoutMs: Math.ceil(timeoutMs - Math.min(MARGIN_MS, timeoutMs / 10)),
      },
      call,
    );
    return { content: JSON.stringify({ rows, row_count: rowCount, columns, truncated: isTruncated }) };
  },
});

/** PostgreSQL converts texts to the type of the parameter. */
function toParameter(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.includes('\0')) throw new PortError('invalid_parameter', 'PostgreSQL does not store the character NUL');
  return text;
}
