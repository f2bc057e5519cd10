import type { Fixture } from './fixtures/fixtures.js';
import { BAD_INPUT_IF_MISSING, type GraphQLRow, graphqlRow as row } from './rows.js';

const READ_RULE = { action: 'project.read' } as const;
const UPDATE_RULE = { action: 'scenario-run.update' } as const;
/** Key of the copied message and variable, and id of the inserted value, in `fixture-rows.ts`. */
const COPIED_KEY = 'copied';
const INSERTED_ID = 1;
const id = (fixture: Fixture) => ({ id: fixture.scenariorun });
const idWithInput = (input: object) => (fixture: Fixture) => ({ ...id(fixture), input });

/** GraphQL operations on scenario runs, with the required right and the arguments. */
export const GRAPHQL_SCENARIO_RUN_ROWS: GraphQLRow[] = [
  row('scenarioRuns', READ_RULE, fixture => ({ scenarioId: fixture.scenario })),
  row('scenarioRun', READ_RULE, id),
  row(
    'scenarioRunStart',
    { action: 'scenario.run' },
    fixture => ({ input: { scenarioId: fixture.scenario } }),
    BAD_INPUT_IF_MISSING,
  ),
  row('scenarioRunUpdate', UPDATE_RULE, idWithInput({ doRunDefault: true })),
  row('scenarioRunDelete', { action: 'scenario-run.delete' }, id),
  row('scenarioRunCancel', { action: 'scenario-run.cancel' }, id),
  row('scenarioRunMessageUpdate', UPDATE_RULE, idWithInput({ key: COPIED_KEY })),
  row('scenarioRunVariableUpdate', UPDATE_RULE, idWithInput({ key: COPIED_KEY, variableNames: [] })),
  row('scenarioRunInsertedVariableUpdate', UPDATE_RULE, idWithInput({ id: INSERTED_ID, value: 'dogs' })),
  row('scenarioRunChanged', READ_RULE, id),
];
