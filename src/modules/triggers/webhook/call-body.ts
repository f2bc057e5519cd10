import type { FileReference } from '../../../engine/files/reference.js';
import { isUnstorableJson } from '../../../platform/errors/fields.js';
import type { ReceivedFile } from '../../files/run-files.js';
import { type FormMember, readMultipart } from './multipart-body.js';
import { refusal, type WebhookAnswer } from './run-reply.js';

/** The body of a call. Files are stored when the call has been verified. */
export type CallBody = { value: unknown } | { members: FormMember[] };

interface ReceivedBody {
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
}

/** Reads the body by its content type: JSON, a form with or without files, or a text. */
export async function readBody({ headers, body }: ReceivedBody): Promise<CallBody | WebhookAnswer> {
  if (body.length === 0) return { value: null };
  const contentType = headers['content-type'] ?? 'application/json';
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  if (type === 'multipart/form-data') return readForm(contentType, body);
  const text = body.toString('utf8');
  if (type === 'application/x-www-form-urlencoded') {
    const members = [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }));
    return { value: toObject(members) };
  }
  if (type.startsWith('text/')) return { value: text };
  if (type !== 'application/json' && !type.endsWith('+json'))
    return refusal(415, 'unsupported_type', `Send JSON, a form or a text instead of ${type}.`);
  try {
    const value: unknown = JSON.parse(text);
    if (isUnstorableJson(value)) return refusal(400, 'bad_body', 'The JSON is nested too deep or has null characters.');
    return { value };
  } catch {
    return refusal(400, 'bad_body', 'The body is not valid JSON.');
  }
}

async function readForm(contentType: string, body: Buffer): Promise<CallBody | WebhookAnswer> {
  try {
    return { members: await readMultipart(contentType, body) };
  } catch (error) {
    return refusal(400, 'bad_body', (error as Error).message);
  }
}

/** Stores the files of a body and returns its value with references to them. */
export async function storeFiles(
  body: CallBody,
  store: (file: ReceivedFile, index: number) => Promise<FileReference>,
): Promise<unknown> {
  if ('value' in body) return body.value;
  const members: { name: string; value: unknown }[] = [];
  for (const [index, { name, value }] of body.members.entries()) {
    if (typeof value === 'string') {
      members.push({ name, value });
      continue;
    }
    members.push({ name, value: await store(value, index) });
  }
  return toObject(members);
}

/** An object with a list for each repeated name. */
function toObject(members: readonly { name: string; value: unknown }[]): Record<string, unknown> {
  const byName = Map.groupBy(members, ({ name }) => name);
  return Object.fromEntries(
    [...byName].map(([name, all]) => [name, all.length === 1 ? all[0]!.value : all.map(({ value }) => value)]),
  );
}
