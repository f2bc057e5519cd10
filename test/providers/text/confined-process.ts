import { spawnSync } from 'node:child_process';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';

/** Tries what a malicious document that controls its reader would try, and reports the results. */
const [secretFile = '', target = ''] = process.argv.slice(2);
const outcomeOf = (attempt: () => unknown): string => {
  try {
    attempt();
    return 'done';
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
};
const found = {
  kind: 'found',
  environment: Object.keys(process.env).filter(name => !name.startsWith('__CF')),
  uid: process.getuid?.(),
  read: outcomeOf(() => readFileSync(secretFile)),
  environmentOfParent: outcomeOf(() => readFileSync(`/proc/${process.ppid}/environ`)),
  write: outcomeOf(() => writeFileSync(target, 'x')),
  start: outcomeOf(() => {
    const { error } = spawnSync('true');
    if (error) throw error;
  }),
};
const out = createWriteStream('', { fd: 3 });
out.write(`${JSON.stringify(found)}\n${JSON.stringify({ kind: 'end' })}\n`);
out.end();
