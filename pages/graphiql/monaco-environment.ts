import editorWorker from 'worker:monaco-editor/esm/vs/editor/editor.worker.js';
import jsonWorker from 'worker:monaco-editor/esm/vs/language/json/json.worker.js';
import graphqlWorker from 'worker:monaco-graphql/esm/graphql.worker.js';

const workerUrls: Record<string, string> = { json: jsonWorker, graphql: graphqlWorker };

/**
 * Monaco creates its workers through this object. The page builds the workers and serves them from its own origin, because
 * `graphiql/setup-workers` supports only Vite and a CDN.
 */
Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_id: string, label: string): Worker =>
      new Worker(workerUrls[label] ?? editorWorker, { type: 'module', name: label }),
  },
});
