import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { readOnly } from './middleware/read-only.js';

/** The folder of the built pages: dist/public, relative to dist/src/http/pages.js. */
export const defaultPublicDir = fileURLToPath(new URL('../../public', import.meta.url));

export interface PagesOptions {
  /** The output folder of `scripts/build-pages.mjs`. */
  publicDir: string;
  /** Loads the document of /openapi.json and /docs on first use. Undefined: neither route is served. */
  openapi: (() => Promise<object>) | undefined;
}

/** One year, the longest time that caches honour. The name of an asset changes with its content. */
const ASSET_MAX_AGE_SECONDS = 31_536_000;

const commonPolicy = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/** GraphiQL and Scalar set styles from scripts, so inline styles are allowed. Inline scripts and other hosts are not. */
const toolPolicy = [
  ...commonPolicy,
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
];

const pages = [
  { route: '/', folder: 'landing', policy: [...commonPolicy, "style-src 'self'", "img-src 'self'"] },
  { route: '/graphiql', folder: 'graphiql', policy: [...toolPolicy, "worker-src 'self'"] },
  { route: '/docs', folder: 'docs', policy: toolPolicy },
];

/** Mounts the browser pages. They need no authentication, because they contain no data and call the API. */
export function mountPages(app: express.Express, { publicDir, openapi }: PagesOptions): void {
  const router = express.Router();
  const servedPages = openapi ? pages : pages.filter(({ route }) => route !== '/docs');
  for (const page of servedPages) {
    const html = readPage(publicDir, page.folder);
    const policy = page.policy.join('; ');
    router.use(`/${page.folder}/assets`, assets(path.join(publicDir, page.folder, 'assets')));
    router.get(page.route, (_request, response) => {
      setSecurityHeaders(response, policy);
      // Browsers revalidate by ETag on each visit, so that they load the assets of a new release immediately.
      response.set('Cache-Control', 'no-cache');
      if (html === null) {
        response.status(503).json({ detail: 'This page is not built. Run npm run build.', code: 'page_not_built' });
        return;
      }
      response.type('html').send(html);
    });
  }

  if (openapi) {
    const openapiText = cached(async () => JSON.stringify(await openapi()));
    router.get('/openapi.json', async (_request, response) => {
      const text = await openapiText();
      setSecurityHeaders(response, commonPolicy.join('; '));
      response.set('Cache-Control', 'no-cache').type('json').send(text);
    });
  }

  const icon = readIcon(publicDir);
  // Browsers request /favicon.ico for documents that are not HTML, and accept any image type.
  router.get(['/favicon.svg', '/favicon.ico'], (_request, response, next) => {
    if (icon === null) return next();
    setSecurityHeaders(response, `${commonPolicy.join('; ')}; style-src 'unsafe-inline'`);
    response.set('Cache-Control', 'public, max-age=86400').type('svg').send(icon);
  });
  router.all(
    [...servedPages.map(({ route }) => route), ...(openapi ? ['/openapi.json'] : []), '/favicon.svg', '/favicon.ico'],
    readOnly,
  );
  app.use(router);
}

/** Caches the result of an asynchronous function. Concurrent callers share one call; a failure is not cached. */
function cached<T>(load: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= load().catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}

function setSecurityHeaders(response: express.Response, policy: string): void {
  response.set({
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
}

/** Serves assets, preferring the compressed copies that the build creates: GraphiQL and Scalar are 11 MB, compressed 3 MB. */
function assets(folder: string): express.Handler {
  const files = new Set(existsSync(folder) ? readdirSync(folder) : []);
  const serve = express.static(folder, {
    index: false,
    redirect: false,
    immutable: true,
    maxAge: ASSET_MAX_AGE_SECONDS * 1000,
    setHeaders: (response, file) => {
      response.setHeader('X-Content-Type-Options', 'nosniff');
      // A worker uses the policy of its own script, which must match the policy of its page.
      response.setHeader('Content-Security-Policy', toolPolicy.join('; '));
      response.setHeader('Vary', 'Accept-Encoding');
      if (!file.endsWith('.gz')) return;
      response.setHeader('Content-Encoding', 'gzip');
      (response as express.Response).type(path.extname(file.slice(0, -'.gz'.length)));
    },
  });
  return (request, response, next) => {
    if (files.has(`${request.path.slice(1)}.gz`) && request.acceptsEncodings('gzip') !== false) {
      request.url = `${request.path}.gz`;
    }
    serve(request, response, next);
  };
}

function readPage(publicDir: string, folder: string): string | null {
  const file = path.join(publicDir, folder, 'index.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function readIcon(publicDir: string): Buffer | null {
  const file = path.join(publicDir, 'favicon.svg');
  return existsSync(file) ? readFileSync(file) : null;
}
