import { addTypenameToDocument } from '@apollo/client/utilities';
import { print } from 'graphql';
import { credentials } from '@/session/session';
import { UploadDocumentsDocument, type UploadDocumentsMutation } from './documents.generated';

/** Maximum number of files that the service accepts in one request. */
export const MAX_FILES = 5;

const QUERY = print(addTypenameToDocument(UploadDocumentsDocument));

export interface UploadOptions {
  projectId: number;
  files: readonly File[];
  /** Called with the sent part of the bytes, from 0 to 1. */
  onProgress: (progress: number) => void;
  signal: AbortSignal;
}

interface Answer {
  data?: UploadDocumentsMutation | null;
  errors?: { message: string }[];
  detail?: string;
}

/**
 * Sends files as a GraphQL multipart request (https://github.com/jaydenseric/graphql-multipart-request-spec). `fetch`
 * does not report the progress of a request, so this uses XMLHttpRequest. Throws an error with the message of the service
 * if it refuses a file, and an `AbortError` after the abort of `signal`.
 */
export async function uploadDocuments({ projectId, files, onProgress, signal }: UploadOptions): Promise<void> {
  const body = new FormData();
  const variables = { projectId, files: files.map(() => null) };
  body.append('operations', JSON.stringify({ operationName: 'UploadDocuments', query: QUERY, variables }));
  body.append('map', JSON.stringify(Object.fromEntries(files.map((_, at) => [at, [`variables.files.${at}`]]))));
  for (const [at, file] of files.entries()) body.append(String(at), file, file.name);
  // Required of multipart requests, which a page of another site could otherwise send without a CORS preflight.
  const headers = { ...(await credentials()), 'Apollo-Require-Preflight': '1' };
  signal.throwIfAborted();
  const { data, errors, detail } = await send(body, { headers, onProgress, signal });
  const refusal = errors?.[0] ?? data?.documentUpload?.errors[0];
  if (refusal) throw new Error(refusal.message);
  if (!data) throw new Error(detail ?? 'The service did not accept the files.');
}

interface SendOptions {
  headers: Record<string, string>;
  onProgress: (progress: number) => void;
  signal: AbortSignal;
}

function send(body: FormData, { headers, onProgress, signal }: SendOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/graphql');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => resolve((request.response as Answer | null) ?? {});
    request.onerror = () => reject(new Error('The service cannot be reached.'));
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}
