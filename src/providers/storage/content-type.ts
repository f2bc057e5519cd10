import { openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileTypeResult } from 'file-type';
import { decodeText } from '../../engine/text/decode.js';

export interface ContentType {
  type: string;
  /** Without a dot. Empty for an unknown type. */
  extension: string;
}

/** Bytes that are read to distinguish types of text. */
const SAMPLE_BYTES = 8192;
const UNKNOWN: ContentType = { type: 'application/octet-stream', extension: '' };

/** Types of text files by extension. */
const textTypes: Record<string, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
};

/**
 * Detects the type of a file from its content. The file extension only distinguishes types of plain text. HTML and JSON
 * without an extension are recognized in the first 8 KiB, so larger JSON without an extension is plain text.
 */
export async function detectContentType(path: string, filename: string): Promise<ContentType> {
  const detected = await detectSignature(path);
  // XML continues below as text, because it may be an HTML page with an XML declaration.
  if (detected && detected.ext !== 'xml') return { type: detected.mime, extension: detected.ext };
  const text = decodeText(await sampleOf(path));
  if (text === null) return UNKNOWN;
  if (isHtml(text)) return { type: 'text/html', extension: 'html' };
  const extension = /\.([a-z]{2,8})$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  const normalized = extension === 'markdown' ? 'md' : extension;
  if (Object.hasOwn(textTypes, normalized)) return { type: textTypes[normalized]!, extension: normalized };
  if (/^\s*[[{]/.test(text) && /[\]}]\s*$/.test(text) && isJson(text))
    return { type: 'application/json', extension: 'json' };
  return { type: 'text/plain', extension: 'txt' };
}

/** Detects a binary format. Returns undefined for other content and for a file that the library cannot parse. */
async function detectSignature(path: string): Promise<FileTypeResult | undefined> {
  // Loaded by the first upload, to save memory in processes without uploads.
  const { fileTypeFromBlob } = await import('file-type');
  // `fileTypeFromFile` imports `strtok3` at runtime. In the bundle that is a second copy, whose `EndOfStreamError` the
  // library does not recognize.
  const blob = await openAsBlob(path);
  // The content is untrusted and must not fail an upload. A file that cannot be read fails in `sampleOf`.
  return fileTypeFromBlob(blob).catch(() => undefined);
}

/** Skips an XML declaration and comments in front of the first element. Each character is visited once, so the time is linear. */
function isHtml(text: string): boolean {
  let rest = text.trimStart();
  if (/^<\?xml/i.test(rest)) {
    const end = rest.indexOf('>');
    if (end < 0) return false;
    rest = rest.slice(end + 1).trimStart();
  }
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', '<!--'.length);
    if (end < 0) return false;
    rest = rest.slice(end + '-->'.length).trimStart();
  }
  return /^<(?:!doctype\s+html|html|head|body)\b/i.test(rest);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function sampleOf(path: string): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
