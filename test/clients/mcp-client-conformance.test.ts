import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/readme/readme.js';
import { runScenario, selectScenarios } from './conformance-suite.js';

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
  'auth/metadata-default': 16,
  'auth/metadata-var1': 16,
  'auth/metadata-var2': 16,
  'auth/metadata-var3': 16,
  'auth/2025-03-26-oauth-metadata-backcompat': 15,
  'auth/2025-03-26-oauth-endpoint-fallback': 10,
  'auth/basic-cimd': 16,
  'auth/pre-registration': 16,
  'auth/scope-from-www-authenticate': 17,
  'auth/scope-from-scopes-supported': 17,
  'auth/scope-omitted-when-undefined': 17,
  'auth/scope-step-up': 26,
  'auth/scope-retry-limit': 19,
  'auth/offline-access-scope': 18,
  'auth/offline-access-not-supported': 17,
  'auth/token-endpoint-auth-basic': 21,
  'auth/token-endpoint-auth-post': 21,
  'auth/token-endpoint-auth-none': 21,
};

const SMOKE = ['initialize', 'tools_call', 'auth/metadata-default'];

describe('the conformance suite of MCP, with the client of nodes and agents', () => {
  it.each(selectScenarios(PASSED, SMOKE))('passes in the scenario %s', async scenario => {
    const result = await runScenario('client', scenario, ['--command', `${process.execPath} ${CLIENT}`]);
    expect(result).toEqual({ passed: PASSED[scenario], failed: 0 });
  });
});
