import { expect, it } from '@jest/globals';
import { type Preparation, RunPreparer } from '../../../src/modules/workflow-runs/admission/run-preparer.js';
import { Vault } from '../../../src/platform/crypto/crypto.js';

const SECRET = 'the-secret-of-another-run';

it('a run that is refused because of the spending limit keeps the secrets of its origin sealed', () => {
  const vault = new Vault('only for this test, 32 characters or more');
  const preparer = new RunPreparer(vault, {} as never, {} as never, {} as never, {} as never);
  const accepted: Preparation = {
    ...{ status: 201, secretFields: [], result: null, environment: 'staging' },
    ...{ input: { text: `with ${SECRET}` }, inherited: [SECRET], hostRules: [] },
  };
  const refused = preparer.refuseOverBudget(accepted, { limitUsd: '1', spentUsd: '1' });
  expect(refused).toMatchObject({ status: 402, environment: 'staging' });
  const stored = preparer.seal('00000000-0000-4000-8000-000000000001', refused);
  expect(JSON.stringify(stored)).not.toContain(SECRET);
  expect(stored.input).toEqual({ text: 'with ********' });
});
