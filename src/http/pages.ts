import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { isBelowRest } from '../../rest-compat/runtime/handler.js';
import { readOnly } from './middleware/read-only.js';

/** The folder of the built pages: dist/public, relative to dist/src/http/pages.js. */
export const defaultPublicDir = fileURLToPath(new URL('../../public', import.meta.url));

export interface PagesOptions {
  /** The output folder of `scripts/build-pages.mjs` and `console/build.mjs`. */
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

/** Mantine sets the variables of its theme by an inline style. */
const consolePolicy = [
  ...commonPolicy,
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
];

const pages = [
  { route: '/', folder: 'console', policy: consolePolicy },
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
    router.get(page.route, (_request, response) => sendPage(response, html, policy));
  }

  if (openapi) {
    const openapiText = memoizeAsync(async () => JSON.stringify(await openapi()));
    router.get('/openapi.json', async (_request, response) => {
      const text = await openapiText();
      setSecurityHeaders(response, commonPolicy.join('; '));
      response.set('Cache-Control', 'no-cache').type('json').send(text);
    });
  }

  // The pages of chats differ by their address.
  router.use('/chat/assets', assets(path.join(publicDir, 'chat/assets')));
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

/** The first part of addresses that are never a screen of the console, even if nothing is there. */
const NO_SCREENS = new Set([
  'api',
  'v1',
  'graphql',
  'graphiql',
  'docs',
  'console',
  'chat',
  'chats',
  'files',
  'healthz',
  'readyz',
  'metrics',
]);

/**
 * Responds with the console to browsers that open an address that nothing else serves: the console has a screen there,
 * or says that there is none. Mount it last.
 */
export function consoleScreens(publicDir: string): express.Handler {
  const html = readPage(publicDir, 'console');
  const policy = consolePolicy.join('; ');
  return (request, response, next) => {
    const [, first = ''] = request.path.split('/');
    const isScreen = !NO_SCREENS.has(first) && !isBelowRest(request.url) && !path.extname(request.path);
    const isVisit = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (!isScreen || !isVisit) return next();
    sendPage(response, html, policy);
  };
}

function sendPage(response: express.Response, html: string | null, policy: string): void {
  setSecurityHeaders(response, policy);
  // Browsers revalidate by ETag on each visit, so that they load the assets of a new release immediately.
  response.set('Cache-Control', 'no-cache');
  if (html === null) {
    response.status(503).json({ detail: 'This page is not built. Run npm run build.', code: 'page_not_built' });
    return;
  }
  response.type('html').send(html);
}

/** Caches the result of an asynchronous function. Concurrent callers share one call; a failure is not cached. */
function memoizeAsync<T>(load: () => Promise<T>): () => Promise<T> {
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

/** Compressed copies of assets, the smallest first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

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
      const encoding = ENCODINGS.find(({ suffix }) => file.endsWith(suffix));
      if (!encoding) return;
      response.setHeader('Content-Encoding', encoding.name);
      (response as express.Response).type(path.extname(file.slice(0, -encoding.suffix.length)));
    },
  });
  return (request, response, next) => {
    const encoding = ENCODINGS.find(
      ({ name, suffix }) => files.has(`${request.path.slice(1)}${suffix}`) && request.acceptsEncodings(name) !== false,
    );
    if (encoding) request.url = `${request.path}${encoding.suffix}`;
    serve(request, response, next);
  };
}

/** The HTML of a built page. Null: it is not built. */
export function readPage(publicDir: string, folder: string): string | null {
  const file = path.join(publicDir, folder, 'index.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function readIcon(publicDir: string): Buffer | null {
  const file = path.join(publicDir, 'favicon.svg');
  return existsSync(file) ? readFileSync(file) : null;
}
