import type { NextFunction, Request, Response } from 'express';
import { isUnstorableJson } from '../base/fields.js';

/** JSON nested deeper than this is refused: PostgreSQL and JSON.stringify give up on far deeper ones. */
export const MAX_JSON_DEPTH = 64;

/** Refuses variables that could not be stored: too deep, U+0000, lone surrogates, infinite numbers. */
export function jsonDepthGuard(request: Request, response: Response, next: NextFunction): void {
  const operations: unknown[] = Array.isArray(request.body) ? request.body : [request.body];
  const bad = operations.some(operation =>
    isUnstorableJson((operation as { variables?: unknown } | undefined)?.variables, MAX_JSON_DEPTH),
  );
  if (!bad) return next();
  response.status(400).json({
    errors: [
      {
        message: `Variables nest at most ${MAX_JSON_DEPTH} deep and hold no null characters, lone surrogates or infinite numbers.`,
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ],
  });
}
