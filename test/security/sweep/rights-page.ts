import { isAllowed, RIGHTS, ROLES } from '../../../src/modules/projects/rights.js';
import { GRAPHQL_ROWS } from './graphql-rows.js';
import { REST_ROWS } from './rest-rows.js';
import type { Row } from './rows.js';

/** Text of `docs/rights.md`, from the rights in the code and the rows of the sweep. */
export function rightsPage(): string {
  return `# Rights

Which role may call which action, route and field. Roles belong to a project. Administrators of the service have the rights of
an owner in every project. Resources of projects without membership return exactly the same response as resources that do not exist.
Members whose role is too low get an error. API keys and sessions have the rights of their user.

A test compares this page with \`src/modules/projects/rights.ts\` and with the table of \`test/security/sweep.test.ts\`,
which sends every request below with every role.

## Actions

${table(['Action', ...ROLES], Object.keys(RIGHTS).map(actionLine))}

## REST

\`400\` marks routes that return 400 instead of 403 when the role is too low.

${table(
  ['Route', 'Permitted for'],
  REST_ROWS.map(row => [code(row.route), who(row)]),
)}

## GraphQL

${table(
  ['Field', 'Permitted for'],
  GRAPHQL_ROWS.map(row => [code(row.field), who(row)]),
)}
`;
}

function actionLine(action: string): string[] {
  return [code(action), ...ROLES.map(role => (isAllowed(role, action as keyof typeof RIGHTS) ? 'yes' : 'no'))];
}

const WHO = {
  user: 'all authenticated users',
  public: 'all callers',
  administrator: 'administrators of the service',
  service: 'the execution service',
  own: 'the owner of the object',
  invited: 'the invited user',
};

function who({ rule, forbidden }: Row): string {
  if (typeof rule === 'string') return WHO[rule];
  return `${code(rule.action)}${forbidden?.startsWith('400') ? ', `400`' : ''}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: string[], lines: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map(line => line[column]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...lines.map(line)].join('\n');
}
