import { z } from 'zod';
import { fileIdOfSetting, fileSetting } from '../../../files/reference.js';
import { textOf } from '../../../json-value.js';
import { PortError } from '../../../ports.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';

const OPERATIONS = ['read', 'write'] as const;
const ENCODINGS = ['text', 'base64'] as const;
const MIB = 1024 * 1024;
const MAX_BYTES = 8 * MIB;
const DEFAULT_NAME = 'file.txt';

export const file = nodeKind({
  type: 'file-node',
  nodeType: 'FileNode',
  title: 'File',
  description:
    'Reads the content of a file, or creates a file. The content is the text of the file, or the reference of the new file as JSON.',
  category: 'data',
  effects: 'external',
  outputs: oneOutput,
  defaults: { operation: 'read', file: '{{ previous.content }}', encoding: 'text' },
  form: {
    icon: 'file',
    color: '#ca8a04',
    fields: {
      operation: { title: 'Operation', widget: 'select' },
      file: { title: 'File', widget: 'text', showIf: { path: 'operation', equals: ['read'] } },
      content: { title: 'Content', widget: 'textarea', showIf: { path: 'operation', equals: ['write'] } },
      file_name: { title: 'File name', widget: 'text', showIf: { path: 'operation', equals: ['write'] } },
      encoding: { title: 'Encoding', widget: 'select', group: 'advanced' },
      max_bytes: { title: 'Maximum bytes', widget: 'number', group: 'advanced' },
    },
    content: { sample: 'Dear Ada,\nthank you for your order.' },
  },
  settings: setting =>
    z.looseObject({
      operation: setting
        .value(z.enum(OPERATIONS))
        .nullish()
        .describe('`read` (default): the content of the node is that of the file. `write`: creates a file.'),
      file: setting
        .value(fileSetting)
        .nullish()
        .describe('The file to read: a file reference or the id of a file. Required for `read`.'),
      content: z
        .unknown()
        .optional()
        .describe(
          'The content of the new file: a text, or any other value, which becomes JSON. At most 8 MiB. Each byte of a secret becomes `*`. Default: empty.',
        ),
      file_name: setting
        .text(z.string().max(255))
        .nullish()
        .describe('Name of the new file, at most 255 characters. Folders are removed. Default `file.txt`.'),
      encoding: setting
        .value(z.enum(ENCODINGS))
        .nullish()
        .describe(
          '`text` (default): UTF-8. A file that is not UTF-8 text fails the node with `not_text`. `base64`: any bytes in base64.',
        ),
      max_bytes: setting
        .value(z.number().int().min(1).max(MAX_BYTES))
        .nullish()
        .describe(
          'Maximum bytes of the file to read, 1-8388608. A larger one fails the node. Default 1048576 (1 MiB).',
        ),
    }),
  execute: async ({ settings, ports, call }) => {
    const { operation, content, file_name, max_bytes, encoding } = settings;
    if (operation === 'write') {
      const bytes =
        encoding === 'base64' ? fromBase64(textOf(content ?? '')) : new TextEncoder().encode(textOf(content ?? ''));
      if (bytes.length > MAX_BYTES)
        throw new PortError('file_too_large', `the content has more than ${MAX_BYTES} bytes`);
      return {
        content: JSON.stringify(
          await ports.files.write({ name: file_name || DEFAULT_NAME, bytes }, call.idempotencyKey),
        ),
      };
    }
    if (!settings.file) throw new PortError('file_not_found', 'file is required to read a file', { isFinal: true });
    const { reference, bytes } = await ports.files.read(fileIdOfSetting(settings.file), max_bytes ?? MIB);
    return { content: encoding === 'base64' ? Buffer.from(bytes).toString('base64') : toText(bytes, reference.name) };
  },
});

function toText(bytes: Uint8Array, name: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // A text of a run cannot have this character.
    if (!text.includes('\0')) return text;
  } catch {
    // Reported below.
  }
  throw new PortError('not_text', `${name} is not UTF-8 text: read it as base64, or pass the file itself on`, {
    isFinal: true,
  });
}

function fromBase64(text: string): Uint8Array {
  const compact = text.replace(/\s/g, '');
  if (compact.length % 4 === 1 || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact))
    throw new PortError('invalid_base64', 'content is not base64', { isFinal: true });
  return Buffer.from(compact, 'base64');
}
