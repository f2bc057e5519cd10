import { z } from 'zod';
import { nodeKind, oneOutput } from '../graph/node-kind.js';

const DEFAULT_MEMORY_MB = 16;
const DEFAULT_TIMEOUT_SECONDS = 5;
const MAX_CODE = 100_000;
/** The script is stopped this long before the node's own timeout, so that the error names the script. */
const MARGIN_MS = 100;

export const code = nodeKind({
  type: 'code-node',
  nodeType: 'CodeNode',
  title: 'Code',
  description:
    'Runs JavaScript in a sandbox without network or file access. The content is the return value: a text unchanged, everything else as JSON.',
  category: 'data',
  // A script may use time and randomness, so it is not repeated: recorded results of later nodes may depend on it.
  effects: 'outside',
  outputs: oneOutput,
  defaults: { code: 'return input;', memory_mb: DEFAULT_MEMORY_MB, timeout_seconds: DEFAULT_TIMEOUT_SECONDS },
  // Values inserted into the source would be executed as code. The script reads them from `input` and `nodes`.
  isVerbatim: true,
  defaultTimeout: DEFAULT_TIMEOUT_SECONDS,
  settings: () =>
    z.looseObject({
      code: z
        .string()
        .min(1)
        .max(MAX_CODE)
        .describe(
          'Body of an async JavaScript function with the parameters `input` (the input of the run) and `nodes` (`{content, json}` of all earlier nodes, by node id). The return value becomes the content. Placeholders are not replaced. At most 100000 characters.',
        ),
      memory_mb: z.number().min(1).max(128).nullish().describe('Memory limit of the script in MiB, 1-128. Default 16.'),
      timeout_seconds: z
        .number()
        .positive()
        .max(3600)
        .nullish()
        .describe(
          'Execution time limit of the script in seconds, more than 0 and at most 3600. The service also limits it to `CODE_MAX_SECONDS` (default 30). Waiting for a thread does not count. Default 5.',
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
