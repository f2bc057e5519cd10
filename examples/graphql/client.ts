// A typed GraphQL client: creates a workflow, runs it, follows the run and reads its cost.
import { createClient } from 'graphql-ws';
import {
  CreateProjectDocument,
  CreateWorkflowDocument,
  FollowRunDocument,
  RunsDocument,
  StartRunDocument,
  type TypedDocumentString,
} from './operations.generated.ts';

const { SCENARIUM_URL = 'http://127.0.0.1:4000', SCENARIUM_API_KEY = '' } = process.env;
const identity = { 'X-Api-Key': SCENARIUM_API_KEY };

/** The variables of an operation, which are optional if it requires none. */
type VariableArguments<Variables> =
  Record<string, never> extends Variables ? [variables?: Variables] : [variables: Variables];

/** Executes a query or mutation. The document has the types of its variables and result, so wrong members do not compile. */
async function request<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  ...[variables]: VariableArguments<Variables>
): Promise<Result> {
  const response = await fetch(`${SCENARIUM_URL}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...identity },
    body: JSON.stringify({ query: document.toString(), variables }),
  });
  const { data, errors } = (await response.json()) as { data?: Result; errors?: { message: string }[] };
  if (errors !== undefined || data === undefined || data === null)
    throw new Error(errors?.map(({ message }) => message).join('; ') ?? `HTTP ${response.status}`);
  return data;
}

/** Yields the results of a subscription until it completes. */
async function* subscribe<Result, Variables extends Record<string, unknown>>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
): AsyncGenerator<Result> {
  const client = createClient({ url: `${SCENARIUM_URL.replace(/^http/, 'ws')}/graphql`, connectionParams: identity });
  try {
    for await (const { data, errors } of client.iterate<Result>({ query: document.toString(), variables })) {
      if (errors) throw new Error(errors.map(({ message }) => message).join('; '));
      if (data) yield data;
    }
  } finally {
    await client.dispose();
  }
}

const graph = {
  nodes: [
    {
      id: 'guest',
      type: 'trigger-node',
      data: { next_nodes: ['greeting'], input_fields: [{ id: 'name', type: 'text', input_requirements: true }] },
    },
    { id: 'greeting', type: 'template-node', data: { next_nodes: ['end'], template: 'Welcome, {{ input.name }}!' } },
    { id: 'end', type: 'output-node', data: {} },
  ],
};

/** Returns the value of a payload. Throws if the mutation was refused. */
function accepted<T>(value: T | null | undefined, errors: readonly { message: string }[] | undefined): T {
  if (value == null || errors?.length) throw new Error(`Refused: ${errors?.map(({ message }) => message).join(' ')}`);
  return value;
}

const { projectCreate } = await request(CreateProjectDocument, { name: 'Typed GraphQL' });
const project = accepted(projectCreate?.project, projectCreate?.errors);
const { workflowCreate } = await request(CreateWorkflowDocument, {
  project: project.id,
  title: 'Welcome a guest',
  data: graph,
});
const workflow = accepted(workflowCreate?.workflow, workflowCreate?.errors);
const { workflowRunStart } = await request(StartRunDocument, { workflow: workflow.id, input: { name: 'Ada' } });
const receipt = accepted(workflowRunStart?.receipt, workflowRunStart?.errors).data;

for await (const { workflowRunChanged } of subscribe(FollowRunDocument, { run: receipt.runId })) {
  const { sequence, kind, node } = workflowRunChanged;
  console.log([sequence, kind, node?.nodeId, node?.content].filter(part => part != null).join('  '));
}

const { workflowRuns } = await request(RunsDocument, { workflow: workflow.id });
for (const { state, cost } of workflowRuns?.items ?? []) console.log(`${state}, ${cost.usd} USD`);
