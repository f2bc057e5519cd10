import busboy from 'busboy';
import { isUnstorableJson } from '../../../platform/errors/fields.js';
import type { ReceivedFile } from '../../files/run-files.js';

/** The limits of the parser. Bodies have a limit of their own. */
const LIMITS = { fields: 100, files: 10, parts: 110, fieldNameSize: 200, headerPairs: 20 };
const TOO_MANY = `A form has at most ${LIMITS.fields} fields and ${LIMITS.files} files.`;
/** Names that would change the prototype of an object with the members. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** A member of a form: a text or a file. */
export interface FormMember {
  name: string;
  value: string | ReceivedFile;
}

/** Reads a form of the type `multipart/form-data`. Rejects with the reason if it cannot be read or stored, or is too large. */
export function readMultipart(contentType: string, body: Buffer): Promise<FormMember[]> {
  return new Promise((resolve, reject) => {
    const members: FormMember[] = [];
    const add = (name: string, value: FormMember['value']) => {
      if (FORBIDDEN_NAMES.has(name)) reject(new Error(`A field may not have the name ${name}.`));
      else members.push({ name, value });
    };
    const parser = busboy({ headers: { 'content-type': contentType }, limits: LIMITS, defParamCharset: 'utf8' });
    parser.on('field', (name, text, { nameTruncated }) => {
      if (nameTruncated) reject(new Error(`A name has at most ${LIMITS.fieldNameSize} characters.`));
      else add(name, text);
    });
    parser.on('file', (name, stream, { filename }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => add(name, { name: filename || 'file', bytes: Buffer.concat(chunks) }));
    });
    for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const)
      parser.on(limit, () => reject(new Error(TOO_MANY)));
    parser.on('error', () => reject(new Error('The form is incomplete or malformed.')));
    parser.on('close', () => {
      const texts = members.map(({ name, value }) => [name, typeof value === 'string' ? value : value.name]);
      if (isUnstorableJson(texts)) reject(new Error('The form has null characters or invalid UTF-8.'));
      else resolve(members);
    });
    parser.end(body);
  });
}
