// Prints the changes of a workflow run live until the run ends: node docs/examples/watch-run.mjs <run id>
// SCENARIUM_API_KEY is an API key, SCENARIUM_URL the address of the service (default http://127.0.0.1:4000).
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

const { SCENARIUM_URL = 'http://127.0.0.1:4000', SCENARIUM_API_KEY } = process.env;
const client = createClient({
  url: `${SCENARIUM_URL.replace(/^http/, 'ws')}/graphql`,
  connectionParams: { 'X-Api-Key': SCENARIUM_API_KEY },
  webSocketImpl: WebSocket,
});

// `afterSequence: 0` requests all changes of the run. Without it, the first change is a snapshot of the current state.
const query = `subscription ($id: UUID!) {
  workflowRunChanged(id: $id, afterSequence: 0) { sequence kind state node { nodeId status content } }
}`;

for await (const { data, errors } of client.iterate({ query, variables: { id: process.argv[2] } })) {
  if (errors) throw new Error(errors[0].message);
  const { sequence, kind, node } = data.workflowRunChanged;
  console.log([sequence, kind, node?.nodeId, node?.content].filter(part => part != null).join('  '));
}
await client.dispose();
