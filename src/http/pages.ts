import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { readOnly } from './middleware/read-only.js';

/** The bundles lie beside the compiled sources: dist/public for dist/src/http/pages.js. */
export const defaultPublicDir = fileURLToPath(new URL('../../public', import.meta.url));

export interface PagesOptions {
  /** What `scripts/build-pages.mjs` wrote. */
  publicDir: string;
  /** The document served at /openapi.json and shown at /docs, loaded by the first who asks: few ever do. Undefined: neither is served. */
  openapi: (() => Promise<object>) | undefined;
}

/** A year, the most that caches honour: an asset's name changes with its content. */
const ASSET_MAX_AGE_SECONDS = 31_536_000;

const commonPolicy = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/** Both tools set styles from script, so inline styles are allowed; inline scripts and other hosts never are. */
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

/** Everything a person opens in a browser. Nothing here needs a key: the pages hold no data, they ask the API for it. */
export function mountPages(app: express.Express, { publicDir, openapi }: PagesOptions): void {
  const router = express.Router();
  const shown = openapi ? pages : pages.filter(({ route }) => route !== '/docs');
  for (const page of shown) {
    const html = readPage(publicDir, page.folder);
    const policy = page.policy.join('; ');
    router.use(`/${page.folder}/assets`, assets(path.join(publicDir, page.folder, 'assets')));
    router.get(page.route, (_request, response) => {
      harden(response, policy);
      // Revalidated by ETag at each visit, so that a new release's asset names are seen at once.
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
      harden(response, commonPolicy.join('; '));
      response.set('Cache-Control', 'no-cache').type('json').send(text);
    });
  }

  const icon = readIcon(publicDir);
  // Browsers ask for /favicon.ico beside a document that is not HTML; any image type will do there.
  router.get(['/favicon.svg', '/favicon.ico'], (_request, response, next) => {
    if (icon === null) return next();
    harden(response, `${commonPolicy.join('; ')}; style-src 'unsafe-inline'`);
    response.set('Cache-Control', 'public, max-age=86400').type('svg').send(icon);
  });
  router.all(
    [...shown.map(({ route }) => route), ...(openapi ? ['/openapi.json'] : []), '/favicon.svg', '/favicon.ico'],
    readOnly,
  );
  app.use(router);
}

/** Made once, for all who ask meanwhile; what failed is tried again. */
function cached<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function harden(response: express.Response, policy: string): void {
  response.set({
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
}

/** The build lays a packed copy beside each larger asset: GraphiQL and Scalar are 11 MB as they are, 3 MB packed. */
function assets(folder: string): express.Handler {
  const files = new Set(existsSync(folder) ? readdirSync(folder) : []);
  const serve = express.static(folder, {
    index: false,
    redirect: false,
    immutable: true,
    maxAge: ASSET_MAX_AGE_SECONDS * 1000,
    setHeaders: (response, file) => {
      response.setHeader('X-Content-Type-Options', 'nosniff');
      // A worker obeys the policy of its own script: it may do what its page may.
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
