import { mayDo, RIGHTS, ROLES } from '../../../src/modules/projects/rights.js';
import { GRAPHQL_ROWS } from './graphql-rows.js';
import { REST_ROWS } from './rest-rows.js';
import type { Row } from './rows.js';

/** `docs/rights.md`, from the rights that the code has and the rows that the sweep tries. */
export function rightsPage(): string {
  return `# Rights

Who may do what. The roles belong to a project; administrators of the service may do all that an owner may, in every
project. To anybody else a project and all it holds do not exist: the answer is the same, byte for byte, as for an id
that never was. Whoever is a member and has too low a role is refused. How a request shows who sends it makes no
difference: an API key and a session have the rights of their user.

This page is checked against \`src/modules/projects/rights.ts\` and against the table of \`test/security/sweep.test.ts\`,
which sends every request below as everybody.

## Actions

${table(['Action', ...ROLES], Object.keys(RIGHTS).map(actionLine))}

## REST

\`400\` stands where a role that is too low is answered with 400 in place of 403.

${table(
  ['Route', 'Who'],
  REST_ROWS.map(row => [code(row.route), who(row)]),
)}

## GraphQL

${table(
  ['Field', 'Who'],
  GRAPHQL_ROWS.map(row => [code(row.field), who(row)]),
)}
`;
}

function actionLine(action: string): string[] {
  return [code(action), ...ROLES.map(role => (mayDo(role, action as keyof typeof RIGHTS) ? 'yes' : 'no'))];
}

const WHO = {
  user: 'everybody who is logged in',
  anybody: 'everybody',
  administrator: 'administrators of the service',
  service: 'the execution service',
  own: 'whose it is',
  invited: 'who is invited',
};

function who({ rule, weak }: Row): string {
  if (typeof rule === 'string') return WHO[rule];
  return `${code(rule.action)}${weak ? ', `400`' : ''}`;
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
