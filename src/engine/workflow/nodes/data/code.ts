import { z } from 'zod';
import { loadFiles } from '../../../files/load-files.js';
import type { NewFile } from '../../../files/port.js';
import { type FileReference, fileSetting } from '../../../files/reference.js';
import { isObject, parseJsonText } from '../../../json-value.js';
import type { CallContext, Ports } from '../../../ports.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';

const DEFAULT_MEMORY_MB = 16;
const DEFAULT_TIMEOUT_SECONDS = 5;
const MAX_FILES = 10;
const MAX_CODE = 100_000;
/** The script is stopped this long before the node's own timeout, so that the error names the script. */
const MARGIN_MS = 100;

export const code = nodeKind({
  type: 'code-node',
  nodeType: 'CodeNode',
  title: 'Code',
  description:
    'Runs JavaScript or TypeScript in a sandbox without network or file access. The content is the return value: a text unchanged, everything else as JSON.',
  category: 'data',
  // A script may use time and randomness, so it is not repeated: recorded results of later nodes may depend on it.
  effects: 'external',
  readsScope: true,
  outputs: oneOutput,
  defaults: { code: 'return input;', memory_mb: DEFAULT_MEMORY_MB, timeout_seconds: DEFAULT_TIMEOUT_SECONDS },
  // Values inserted into the source would be executed as code. The script reads them from `input` and `nodes`.
  verbatimMembers: ['code', 'language', 'memory_mb', 'timeout_seconds'],
  defaultTimeout: DEFAULT_TIMEOUT_SECONDS,
  form: {
    icon: 'code',
    color: '#ca8a04',
    fields: {
      code: { title: 'Script', widget: 'code' },
      files: { title: 'Files', widget: 'json', group: 'advanced' },
      language: { title: 'Language', widget: 'select' },
      memory_mb: { title: 'Memory limit in MiB', widget: 'number', group: 'advanced' },
    },
    content: { sample: '{"total": 42}' },
  },
  settings: setting =>
    z.looseObject({
      code: z
        .string()
        .min(1)
        .max(MAX_CODE)
        .describe(
          'Body of an async function with the parameters `input` (the input of the run), `nodes` (`{content, json}` of all earlier nodes, by node id), `files` and `saveFile`. `files[0]` has `bytes`, `text()` and the members of the file reference. `saveFile(name, content)` stores a text or bytes and returns a file reference for the return value. The return value becomes the content. Placeholders are not replaced. At most 100000 characters.',
        ),
      language: z
        .enum(['javascript', 'typescript'])
        .nullish()
        .describe(
          'Language of the script. The types of `typescript` are removed and not checked; syntax that is not JavaScript without types, such as `enum`, is refused. Default `javascript`.',
        ),
      files: setting
        .value(z.array(setting.value(fileSetting)).max(MAX_FILES))
        .nullish()
        .describe(
          'Files that the script reads, at most 10 and together 16 MiB: file references or ids. They count towards its memory. Default: none.',
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
    const files = await loadFiles(settings.files ?? [], ports.files, 'files');
    const saved: NewFile[] = [];
    const content = await ports.sandbox.run(
      {
        code: settings.code,
        ...(settings.language === 'typescript' ? { language: 'typescript' } : {}),
        input: scope.input,
        nodes,
        ...(files.length > 0 ? { files } : {}),
        memoryMb: settings.memory_mb ?? DEFAULT_MEMORY_MB,
        timeoutMs: timeoutMs - Math.min(MARGIN_MS, timeoutMs / 10),
      },
      call,
      written => saved.push(...written),
    );
    return { content: await withReferences(content, saved, ports, call) };
  },
});

/**
 * Stores the files that the script saved and puts their references into its result. The script received the ids `saved-1`,
 * `saved-2` and so on from `saveFile`.
 */
async function withReferences(content: string, saved: readonly NewFile[], ports: Ports, call: CallContext) {
  if (saved.length === 0) return content;
  const references = new Map<string, FileReference>();
  for (const [index, file] of saved.entries()) {
    const reference = await ports.files.write(file, `${call.idempotencyKey}:${index}`);
    references.set(`saved-${index + 1}`, reference);
  }
  const value = parseJsonText(content);
  return value === undefined ? content : JSON.stringify(replaceReferences(value, references));
}

function replaceReferences(value: unknown, references: ReadonlyMap<string, FileReference>): unknown {
  if (Array.isArray(value)) return value.map(item => replaceReferences(item, references));
  if (!isObject(value)) return value;
  const reference = typeof value.file_id === 'string' ? references.get(value.file_id) : undefined;
  if (reference) return reference;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceReferences(item, references)]));
}
