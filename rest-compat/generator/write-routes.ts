import type { Route } from '../runtime/route.js';
import type { OperationSource } from './operation-source.js';

export const generatedNotice = 'Generated from rest-compat/operations by `npm run generate`; edits here are lost.';

/** The route table as a TypeScript module, formatted as Biome requires. */
export function writeRoutes(operations: readonly OperationSource[]): string {
  const rows = operations.map(({ route }) => row(route)).join('\n');
  return `// ${generatedNotice}
import type { Route } from '../runtime/route.js';

export const routes: readonly Route[] = [
${rows}
];
`;
}

function row(route: Route): string {
  const errors = Object.entries(route.errors).map(([code, status]) => `${code}: ${status}`);
  return `  {
    operation: ${text(route.operation)},
    method: ${text(route.method)},
    path: ${text(route.path)},
    status: ${route.status},
    auth: ${text(route.auth)},
    body: ${text(route.body)},
    reply: ${text(route.reply)},
    idempotencyKey: ${route.idempotencyKey},
    maxAge: ${route.maxAge},
    errors: ${errors.length > 0 ? `{ ${errors.join(', ')} }` : '{}'},
    document: \`${route.document.replaceAll(/\\|`|\$\{/g, character => `\\${character}`)}\`,
  },`;
}

/** A string literal. Names and paths are checked and contain no quotes. */
function text(value: string): string {
  return `'${value}'`;
}
