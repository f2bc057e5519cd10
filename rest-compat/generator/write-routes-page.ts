import type { Route } from '../runtime/route.js';
import { groupTitle } from './group-title.js';
import { markdownTable } from './markdown-table.js';
import type { OperationSource } from './operation-source.js';
import { generatedNotice } from './write-routes.js';

/** A Markdown page that lists all routes. */
export function writeRoutesPage(operations: readonly OperationSource[]): string {
  const groups = Map.groupBy(operations, operation => operation.group);
  const sections = [...groups.keys()].toSorted().map(group => section(group, groups.get(group) ?? []));
  return `# REST routes

<!-- ${generatedNotice} -->

${operations.length} routes. Each is served with and without the last slash. \`*\` marks required inputs.

${sections.join('\n')}`;
}

function section(group: string, operations: readonly OperationSource[]): string {
  const rows = operations.map(operation => {
    const { route } = operation;
    const cells = [
      route.method,
      `\`${route.path}\``,
      authTitles[route.auth],
      String(route.status),
      inputText(operation),
      `\`${operation.definition.operation} ${operation.rootField}\``,
      operation.summary.replaceAll('|', '\\|'),
    ];
    return cells;
  });
  return `## ${groupTitle(group)}

${markdownTable(titles, rows)}
`;
}

const titles = ['Method', 'Path', 'Auth', 'Status', 'Input', 'GraphQL', 'Summary'];
const authTitles = {
  API_KEY: 'API key',
  API_KEY_ONLY: 'API key only',
  NONE: 'none',
  BEARER: 'bearer key',
  ANY_KEY: 'API key or bearer key',
  SERVICE: 'service token',
};

function namesOfBody({ body }: Route): string[] | null {
  if (body === 'RUN_INPUT') return ['the run input'];
  return body === 'VERBATIM' ? ['a JSON object, passed on unchanged'] : null;
}

function inputText({ route, inputs }: OperationSource): string {
  const named = (location: string) =>
    inputs
      .filter(input => input.location === location)
      .map(({ name, aliases, isRequired }) =>
        [`\`${name}${isRequired ? '*' : ''}\``, ...aliases.map(alias => `\`${alias}\``)].join(' or '),
      );
  const parts = [
    { title: 'header', names: route.idempotencyKey ? ['`Idempotency-Key`'] : [] },
    ...inputs.flatMap(({ header }) => (header === null ? [] : [{ title: 'header', names: [`\`${header}\``] }])),
    { title: 'query', names: named('query') },
    { title: 'body', names: namesOfBody(route) ?? named('body') },
  ];
  return parts
    .filter(part => part.names.length > 0)
    .map(part => `${part.title}: ${part.names.join(', ')}`)
    .join('; ');
}
