import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ROOT } from './readme.js';

/**
 * Executes shell blocks in sequence in one shell, as a reader would. Returns the standard output of each block. Throws if
 * a command fails.
 */
export async function executeInOneShell(blocks: string[], variables: Record<string, string> = {}): Promise<string[]> {
  const mark = '\u001e';
  const script = ['set -eu', ...blocks.map(block => `${block}\nprintf '${mark}'`)].join('\n');
  const shell = spawn('sh', [], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...variables,
      PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  let stderr = '';
  shell.stdout.on('data', chunk => {
    output += chunk;
  });
  shell.stderr.on('data', chunk => {
    stderr += chunk;
  });
  shell.stdin.end(script);
  const [exitCode] = await once(shell, 'close');
  const parts = output.split(mark);
  if (exitCode !== 0) throw new Error(`block ${parts.length} ended with ${exitCode}: ${stderr}\n${parts.at(-1)}`);
  return parts.slice(0, -1);
}
