import type { RequestHandler } from 'express';
import { graphqlUploadExpress } from 'graphql-upload-ts';
import type { RequestContext } from '../modules/accounts/request-context.js';
import { UnauthenticatedError } from '../platform/errors/errors.js';
import { hasPreflightHeader, preflightRefusal } from './preflight.js';
import type { ContextRequest } from './server-options.js';

const MAX_FILES = 5;

export interface UploadOptions {
  maxBodyBytes: number;
  maxUploadBytes: number;
  contextFor: (headers: Record<string, unknown>, contextRequest: ContextRequest) => Promise<RequestContext>;
}

/**
 * Parses multipart requests. The parser runs before Apollo, so this middleware checks for a header that forms of other sites
 * cannot send, and requires a caller before a file is written.
 */
export function uploads({ maxBodyBytes, maxUploadBytes, contextFor }: UploadOptions): RequestHandler {
  const parse = graphqlUploadExpress({
    maxFieldSize: maxBodyBytes,
    // The parser refuses a file of exactly its limit, so the limit is one byte above the allowed size.
    maxFileSize: maxUploadBytes + 1,
    maxFiles: MAX_FILES,
  });
  return async (request, response, next) => {
    if (!request.is('multipart/form-data')) return next();
    if (!hasPreflightHeader(request)) return void response.status(400).json({ errors: [preflightRefusal] });
    try {
      const contextRequest = { request, fields: null, response: null };
      if (!(await contextFor(request.headers, contextRequest)).caller) throw new UnauthenticatedError();
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) return next(error);
      const { message, extensions } = error;
      return void response.status(401).json({ errors: [{ message, extensions }] });
    }
    parse(request, response, next);
  };
}
