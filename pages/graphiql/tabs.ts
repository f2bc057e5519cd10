/** A tab that a new visitor sees. A test validates each against schema.graphql. */
export interface ReadyMadeTab {
  query: string;
  variables?: string;
}

/** Characters of a line that the editor shows in a window 1360 pixels wide. The texts below are not wider. */
export const VISIBLE_COLUMNS = 55;

const listProjects = `# Welcome to Scenarium.
#
# 1. Enter your API key in the field at the top, or
#    log in there. It is sent with every query,
#    mutation and subscription.
# 2. Press the run button (Ctrl-Enter): this query
#    lists your projects and workflows.
# 3. In the tab RunWorkflow set "workflowId" under
#    Variables, run it, copy data.runId of the result.
# 4. Paste that id into the variables of WatchRun:
#    it shows each change of the run live.
#
# On the left, the list icon opens a menu of all
# operations, the folder icon an explorer to select
# fields, the book icon the documentation of the
# schema. Ctrl-Space completes names.

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

const runWorkflow = `# Starts a run. "input" contains the values of the
# input fields by key; ListProjects shows the fields.
#
# Status of the receipt: 201 accepted; 422 a setting
# or the value of an input field is invalid, see
# "data"; 400 the graph or the input is malformed,
# 402 the spending limit is reached, see "error".
# A refused mutation reports the reason in "errors".

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

const watchRun = `# Follows a run live: its current state first, then
# each change once and in order, until the run ends.
#
# Variables: "id" is data.runId of RunWorkflow.
# Add "afterSequence": 0 to see all earlier changes.

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
