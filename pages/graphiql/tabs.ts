/** The tabs a new visitor finds. A test validates each one against schema.graphql. */
export interface ReadyMadeTab {
  query: string;
  variables?: string;
}

/** What a line of the editor shows in a window 1360 wide; the texts below keep to it. */
export const VISIBLE_COLUMNS = 55;

const listProjects = `# Welcome to Scenarium.
#
# 1. Put your API key into the field at the top, or
#    log in there. It goes with every query, mutation
#    and subscription.
# 2. Press the run button (Ctrl-Enter): this query
#    lists your projects and workflows.
# 3. In the tab RunWorkflow set "workflowId" under
#    Variables, run it, copy data.id of the answer.
# 4. Paste that id into the variables of WatchRun:
#    each change of the run arrives as it happens.
#
# On the left the list icon opens a menu of operations
# for everything there is, the folder icon an explorer
# to tick fields in, the book icon the documentation
# of the schema. Ctrl-Space completes names.

query ListProjects {
  projects(page: 1, size: 10) {
    total
    items {
      id
      name
      canEdit
      totalSpent {
        usd
        sr
      }
    }
  }
  workflows(page: 1, size: 10) {
    total
    items {
      id
      title
      projectId
      inputFields {
        key
        title
        type
        inputRequirements
      }
    }
  }
}
`;

const runWorkflow = `# Starts a run. "input" holds the workflow's input
# fields by id: ListProjects shows them.
#
# The receipt's status: 201 accepted; 422 a setting or
# an input is not valid, data says where; 400 the graph
# is malformed, error says why. Why a mutation was
# refused is in "errors".

mutation RunWorkflow($workflowId: Int!, $input: JSON) {
  workflowRunStart(
    workflowId: $workflowId
    input: $input
  ) {
    receipt {
      status
      data {
        runId
        status
        data
        error {
          code
          message
        }
      }
      run {
        state
        createdAt
      }
    }
    errors {
      code
      message
      path
    }
  }
}
`;

const watchRun = `# Follows a run live: its present state first, then
# each change once and in order, until the run ends.
#
# Variables: "id" is data.id of RunWorkflow's answer.
# Add "afterSequence": 0 to see what already happened.

subscription WatchRun(
  $id: UUID!
  $afterSequence: Int
) {
  workflowRunChanged(
    id: $id
    afterSequence: $afterSequence
  ) {
    sequence
    kind
    at
    node {
      nodeId
      status
      content
      error {
        code
        message
      }
    }
    run {
      state
      duration
      result
      cost {
        usd
        sr
      }
    }
  }
}
`;

const asVariables = (value: unknown): string => JSON.stringify(value, null, 2);

export const readyMadeTabs: ReadyMadeTab[] = [
  { query: listProjects },
  { query: runWorkflow, variables: asVariables({ workflowId: 1, input: {} }) },
  { query: watchRun, variables: asVariables({ id: '00000000-0000-0000-0000-000000000000' }) },
];
