import { z } from 'zod';
import { nodeKind, oneOutput } from '../graph/node-kind.js';

const DEFAULT_MEMORY_MB = 16;
const DEFAULT_TIMEOUT_SECONDS = 5;
const MAX_CODE = 100_000;
/** The script ends a little before the node's own time is up, so that the error says what took it. */
const MARGIN_MS = 100;

export const code = nodeKind({
  type: 'code-node',
  nodeType: 'CodeNode',
  title: 'Code',
  description:
    'Runs JavaScript in a sandbox that reaches nothing outside. Its content is the value that the code returns: a text as it is, everything else as JSON.',
  category: 'data',
  // What a script returns may hang on the time and on chance, and recorded results of later nodes on what it returned.
  effects: 'outside',
  outputs: oneOutput,
  defaults: { code: 'return input;', memory_mb: DEFAULT_MEMORY_MB, timeout_seconds: DEFAULT_TIMEOUT_SECONDS },
  // Values put into the text of a program would be run as a part of it; they reach it as `input` and `nodes`.
  isVerbatim: true,
  defaultTimeout: DEFAULT_TIMEOUT_SECONDS,
  settings: () =>
    z.looseObject({
      code: z
        .string()
        .min(1)
        .max(MAX_CODE)
        .describe(
          'Body of an async JavaScript function with the parameters `input` (the input of the run) and `nodes` (by id `{content, json}` of every node before this one); `return` gives the content. Placeholders are not replaced. At most 100000 characters.',
        ),
      memory_mb: z.number().min(1).max(128).nullish().describe('Memory of the script in MiB, 1-128. Default 16.'),
      timeout_seconds: z
        .number()
        .positive()
        .max(3600)
        .nullish()
        .describe(
          'Seconds that the script may run, more than 0 and at most 3600; the service ends every script after its `CODE_MAX_SECONDS`, 30 unless it is configured. Waiting for a thread does not count. Default 5.',
        ),
    }),
  execute: async ({ settings, scope, ports, call }) => {
    const nodes = new Map([...scope.earlier()].map(([id, content]) => [id, content.text]));
    const timeoutMs = 1000 * (settings.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS);
    const content = await ports.sandbox.run(
      {
        code: settings.code,
        input: scope.input,
        nodes,
        memoryMb: settings.memory_mb ?? DEFAULT_MEMORY_MB,
        timeoutMs: timeoutMs - Math.min(MARGIN_MS, timeoutMs / 10),
      },
      call,
    );
    return { content };
  },
});
