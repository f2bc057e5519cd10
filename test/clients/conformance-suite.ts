import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** The folder in which `@modelcontextprotocol/conformance` is installed. `npm run test:clients` sets it. */
export const SUITE_FOLDER = process.env.MCP_CONFORMANCE;
const MAIN = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const TIMEOUT_MS = 60_000;

/** The counts of the checks of a scenario, and the report if one failed. */
export interface ScenarioResult {
  passed: number;
  failed: number;
  report?: string;
}

/** Runs one scenario. `args` select the tested client or server. */
export async function runScenario(
  mode: 'client' | 'server',
  scenario: string,
  args: readonly string[],
): Promise<ScenarioResult> {
  const folder = SUITE_FOLDER!;
  const command = [path.join(folder, MAIN), mode, ...args, '--scenario', scenario];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, {
    cwd: folder,
    timeout: TIMEOUT_MS,
  }).catch((error: { stdout: string; stderr: string }) => error);
  const report = `${stdout}${stderr}`;
  const [, passed, failed] = /Passed: (\d+)\/\d+, (\d+) failed/.exec(report) ?? [];
  return { passed: Number(passed), failed: Number(failed), ...(failed === '0' ? {} : { report }) };
}
