import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/readme/readme.js';
import { runScenario, SUITE_FOLDER } from './conformance-suite.js';

const CLIENT = path.join(ROOT, 'build/test/clients/mcp-conformance-client.js');

/** Scenarios and the number of their checks, all of which must pass. docs/clients.md lists the others with reasons. */
const PASSED: Record<string, number> = {
  initialize: 1,
  tools_call: 1,
  'elicitation-sep1034-client-defaults': 5,
  'sse-retry': 3,
  'auth/client-credentials-basic': 11,
  'auth/client-credentials-jwt': 11,
  'auth/resource-mismatch': 2,
};

const describeIf = SUITE_FOLDER === undefined ? describe.skip : describe;

describeIf('the conformance suite of MCP, with the client of nodes and agents', () => {
  it.each(Object.keys(PASSED))('passes in the scenario %s', async scenario => {
    const result = await runScenario('client', scenario, ['--command', `${process.execPath} ${CLIENT}`]);
    expect(result).toEqual({ passed: PASSED[scenario], failed: 0 });
  });
});
