import http from 'node:http';
import { createRequire } from 'node:module';

/**
 * A process: DBOS workflows behind an HTTP server, on the database in the first argument. The second argument is the folder
 * of the package, the third is the address that steps call. `POST /start/<kind>` answers with the id of the workflow,
 * `GET /status/<id>` with its state.
 */
const [, , databaseUrl, folder, calledUrl] = process.argv as string[];
const { DBOS } = createRequire(`${folder}/package.json`)('@dbos-inc/dbos-sdk');

const call = (name: string) => DBOS.runStep(async () => (await fetch(calledUrl!)).text(), { name }) as Promise<string>;

const KINDS: Record<string, () => Promise<unknown>> = {
  none: async () => 'done',
  one: () => call('call'),
  sequence: async () => {
    for (let index = 0; index < 5; index++) await call(`call ${index}`);
  },
  parallel: () => Promise.all(Array.from({ length: 10 }, (_, index) => call(`call ${index}`))),
};
const workflows = Object.fromEntries(
  Object.entries(KINDS).map(([name, work]) => [name, DBOS.registerWorkflow(work, { name })]),
);
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: databaseUrl, systemDatabasePoolSize: 20, logLevel: 'error' });
await DBOS.launch();

const server = http.createServer((request, response) => {
  const [, action, subject] = (request.url ?? '').split('/');
  request.resume().on('end', async () => {
    const answer = (value: object) => {
      const text = JSON.stringify(value);
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        .end(text);
    };
    if (action === 'start') answer({ id: (await DBOS.startWorkflow(workflows[subject!])()).workflowID });
    else answer({ state: (await DBOS.getWorkflowStatus(subject!))?.status });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 2_048, () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`listens on http://127.0.0.1:${address.port}`);
});
