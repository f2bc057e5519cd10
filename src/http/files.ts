import { pipeline } from 'node:stream/promises';
import { type RequestHandler, Router } from 'express';
import { restErrors } from '../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../rest-compat/runtime/send-error.js';
import type { DocumentFiles } from '../modules/documents/document-files.js';
import type { FileLinks } from '../modules/documents/file-links.js';
import type { Log } from '../platform/logging/log.js';
import { StoredFileMissingError } from '../providers/storage/storage.js';

const GONE = { ...restErrors.GONE, detail: 'This link has expired. Retrieve the document again for a new one.' };

/** `GET /files/{token}`: a stored file by its signed link, always as an attachment so that browsers never render it. */
export function fileRoutes(links: FileLinks, files: DocumentFiles, log: Log): Router {
  const send: RequestHandler<{ token: string }> = async (request, response) => {
    const file = await links.follow(request.params.token);
    if (file === 'expired') return sendRestError(response, GONE);
    if (file === null) return sendRestError(response, restErrors.NOT_FOUND);
    response.attachment(file.filename);
    // `response.type` would add a charset, and the charset of the file is unknown.
    response.setHeader('Content-Type', file.contentType);
    response.set({
      'Content-Length': String(file.size),
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'private, no-store',
    });
    if (request.method === 'HEAD') return void response.end();
    try {
      const content = await files.open(file.resultFile);
      await pipeline(content, response);
    } catch (error) {
      if (error instanceof StoredFileMissingError && !response.headersSent) {
        for (const name of response.getHeaderNames()) if (name !== 'x-request-id') response.removeHeader(name);
        return sendRestError(response, restErrors.NOT_FOUND);
      }
      // After the response has started its status cannot change. A client that disconnected is not an error.
      if (response.headersSent) {
        if (!response.closed) log.warn({ err: error }, 'stored file not sent completely');
        return void response.destroy();
      }
      throw error;
    }
  };
  const router = Router();
  router.get('/files/:token', send);
  return router;
}
