import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { readInChild } from '../../../src/providers/text/child-reader.js';
import { confinementOf } from '../../../src/providers/text/confinement.js';

const SCRIPT = fileURLToPath(new URL('./confined-process.js', import.meta.url));

it('a process that reads a document has no environment, reads no other file, writes none and starts no process', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'confined-'));
  try {
    const secret = path.join(folder, 'encryption-key');
    const target = path.join(folder, 'written');
    writeFileSync(secret, 'secret', { mode: 0o644 });
    const task = {
      script: SCRIPT,
      args: [secret, target],
      content: Readable.from(['']),
      limits: { timeoutMs: 120_000, memoryMb: 512 },
    };
    const messages: { kind: string }[] = [];
    for await (const message of readInChild<{ kind: string }>(task, new AbortController().signal))
      messages.push(message);
    const { user } = await confinementOf(SCRIPT);
    expect(messages).toEqual([
      {
        kind: 'found',
        environment: [],
        uid: user.uid ?? process.getuid?.(),
        read: 'ERR_ACCESS_DENIED',
        environmentOfParent: 'ERR_ACCESS_DENIED',
        write: 'ERR_ACCESS_DENIED',
        start: 'ERR_ACCESS_DENIED',
      },
    ]);
    expect(existsSync(target)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('switches at most to an unprivileged user, and only where this process may', async () => {
  const { flags, user } = await confinementOf(SCRIPT);
  expect(flags).toContain('--permission');
  if (process.getuid?.() !== 0) expect(user).toEqual({});
  else expect([{}, { uid: 65_534, gid: 65_534 }]).toContainEqual(user);
});

it('permits libraries in a linked folder', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'linked-')));
  try {
    const [libraries, program] = [path.join(folder, 'libraries'), path.join(folder, 'program')];
    mkdirSync(libraries);
    mkdirSync(path.join(program, 'a/b/c'), { recursive: true });
    symlinkSync(libraries, path.join(program, 'node_modules'));
    const script = path.join(program, 'a/b/c/script.js');
    writeFileSync(script, '');
    const { flags } = await confinementOf(script);
    expect(flags).toContain(`--allow-fs-read=${libraries}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
