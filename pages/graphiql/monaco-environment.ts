import editorWorker from 'worker:monaco-editor/esm/vs/editor/editor.worker.js';
import jsonWorker from 'worker:monaco-editor/esm/vs/language/json/json.worker.js';
import graphqlWorker from 'worker:monaco-graphql/esm/graphql.worker.js';

const workerUrls: Record<string, string> = { json: jsonWorker, graphql: graphqlWorker };

/**
 * Monaco asks here for its workers. Each is an entry of our own build, from our own origin: `graphiql/setup-workers`
 * only knows Vite and a CDN.
 */
Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_id: string, label: string): Worker =>
      new Worker(workerUrls[label] ?? editorWorker, { type: 'module', name: label }),
  },
});
