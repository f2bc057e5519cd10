import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ROOT } from './readme.js';

/** Runs the texts in sequence in one shell, as a reader would. Throws at the first command that fails. */
export async function executeInOneShell(texts: string[], variables: Record<string, string> = {}): Promise<string[]> {
  const mark = '\u001e';
  const script = ['set -eu', ...texts.map(text => `${text}\nprintf '${mark}'`)].join('\n');
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
  let complaints = '';
  shell.stdout.on('data', chunk => {
    output += chunk;
  });
  shell.stderr.on('data', chunk => {
    complaints += chunk;
  });
  shell.stdin.end(script);
  const [exitCode] = await once(shell, 'close');
  const parts = output.split(mark);
  if (exitCode !== 0) throw new Error(`block ${parts.length} ended with ${exitCode}: ${complaints}\n${parts.at(-1)}`);
  return parts.slice(0, -1);
}
