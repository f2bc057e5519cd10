import type { Fixture } from './fixtures/fixtures.js';
import { BAD_REQUEST_IF_MISSING, type RestRow, type RestRowOptions, restRow as row } from './rows.js';

const UPDATE_RULE = { action: 'scenario-run.update' } as const;
const id = { id: (fixture: Fixture) => fixture.scenariorun };
const run = { run: (fixture: Fixture) => fixture.scenariorun };
const all = '/api/v1/scenarioruns/';
const copiedPart: RestRowOptions = { body: () => ({ key: 'copied' }) };

/** REST routes of scenario runs, with the required right and the parameters. */
export const REST_SCENARIO_RUN_ROWS: RestRow[] = [
  row(
    `POST ${all}run/`,
    { action: 'scenario.run' },
    {},
    { ...BAD_REQUEST_IF_MISSING, body: fixture => ({ scenario: fixture.scenario }) },
  ),
  row(`GET ${all}{id}/`, { action: 'project.read' }, id),
  row(`PATCH ${all}{id}/`, UPDATE_RULE, id, { body: () => ({ do_run_default: true }) }),
  row(`DELETE ${all}{id}/`, { action: 'scenario-run.delete' }, id),
  row(`POST ${all}{id}/cancel/`, { action: 'scenario-run.cancel' }, id),
  row(`PATCH ${all}{run}/update-message/`, UPDATE_RULE, run, copiedPart),
  row(`PATCH ${all}{run}/update-variable/`, UPDATE_RULE, run, { body: () => ({ key: 'copied', variable_names: [] }) }),
  row(`PATCH ${all}{run}/update-inserted-variable/`, UPDATE_RULE, run, { body: () => ({ id: 1, value: 'dogs' }) }),
];
