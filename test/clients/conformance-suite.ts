import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/readme/readme.js';

const MAIN = path.join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const TIMEOUT_MS = 170_000;

/** The counts of the checks of a scenario, and the report if one failed. */
export interface ScenarioResult {
  passed: number;
  failed: number;
  report?: string;
}

/** The scenarios that run: all of them in `npm run test:clients`, otherwise `smoke`. */
export function selectScenarios(all: Record<string, number>, smoke: readonly string[]): string[] {
  return process.env.CLIENTS === 'all' ? Object.keys(all) : [...smoke];
}

/** Runs one scenario. `args` select the tested client or server. The suite exits with an error code if a check fails, which is not thrown. */
export async function runScenario(
  mode: 'client' | 'server',
  scenario: string,
  args: readonly string[],
): Promise<ScenarioResult> {
  const command = [MAIN, mode, ...args, '--scenario', scenario];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, {
    cwd: ROOT,
    timeout: TIMEOUT_MS,
  }).catch((error: { stdout: string; stderr: string }) => error);
  const report = `${stdout}${stderr}`;
  const [, passed, failed] = /Passed: (\d+)\/\d+, (\d+) failed/.exec(report) ?? [];
  return { passed: Number(passed), failed: Number(failed), ...(failed === '0' ? {} : { report }) };
}
