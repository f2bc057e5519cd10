import type { Place } from './places/places.js';
import { type GraphQLRow, graphqlRow as row } from './rows.js';

const read = { action: 'project.read' } as const;
const change = { action: 'scenario-run.update' } as const;
const id = (place: Place) => ({ id: place.scenariorun });
const changed = (input: object) => (place: Place) => ({ ...id(place), input });

/** Runs of scenarios. */
export const GRAPHQL_SCENARIO_RUN_ROWS: GraphQLRow[] = [
  row('scenarioRuns', read, place => ({ scenarioId: place.scenario })),
  row('scenarioRun', read, id),
  row('scenarioRunStart', { action: 'scenario.run' }, place => ({ input: { scenarioId: place.scenario } }), {
    missing: 'BAD_USER_INPUT',
  }),
  row('scenarioRunUpdate', change, changed({ doRunDefault: true })),
  row('scenarioRunDelete', { action: 'scenario-run.delete' }, id),
  row('scenarioRunCancel', { action: 'scenario-run.cancel' }, id),
  row('scenarioRunMessageUpdate', change, changed({ key: 'copied' })),
  row('scenarioRunVariableUpdate', change, changed({ key: 'copied' })),
  row('scenarioRunInsertedVariableUpdate', change, changed({ id: 1, value: 'dogs' })),
  row('scenarioRunChanged', read, id),
];
