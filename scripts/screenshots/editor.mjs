// Writes the pictures of the README to docs/images, the editor with a run in progress and a finished run: npm run screenshot
//
// Starts the demo on a temporary data folder, with a slow HTTP service, so that one node runs while the picture is taken.
// Needs `npm run build` and Chromium (CHROMIUM_PATH, default /usr/bin/chromium).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { supportGraph } from './support-graph.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pictures = path.join(root, 'docs/images');
const QUESTION = 'My parcel 4711 did not arrive. Can I have my money back?';

/** Answers customers at once and refunds after a minute. */
function startShop() {
  const server = createServer((request, response) => {
    const isSlow = request.url?.startsWith('/refunds');
    const body = isSlow ? { refund: 'accepted' } : { name: 'Ada Lovelace', orders: 12, since: 2021 };
    setTimeout(
      () => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
      isSlow ? 60_000 : 120,
    ).unref();
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Starts the demo. Returns its addresses when it has printed them. */
function startDemo(dataDir, shop) {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', OUTBOUND_ALLOW: shop };
  const demo = spawn(process.execPath, [path.join(root, 'dist/src/demo/main.js')], {
    env,
    stdio: ['ignore', 'pipe', 2],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    demo.stdout.on('data', chunk => {
      text += chunk;
      const signIn = /^ {2}Console {4}(\S+)$/m.exec(text)?.[1];
      const key = /^ {2}API key {4}(\S+) {3}\(paste/m.exec(text)?.[1];
      if (signIn && key) resolve({ demo, signIn, key, url: new URL(signIn).origin });
    });
    demo.once('exit', code => reject(new Error(`The demo ended with ${code}:\n${text}`)));
  });
}

async function createWorkflow({ url, key }, shop) {
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  const call = async (method, route, body) => {
    const response = await fetch(`${url}/api/v1/${route}`, { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { items } = await call('GET', 'projects/?size=1');
  const project = items[0].id;
  const workflow = await call('POST', 'workflows/', {
    project,
    title: 'Answer support mail',
    data: supportGraph(`http://${shop}`),
  });
  return `/projects/${project}/workflows/${workflow.id}`;
}

/** Waits until the zoom of the canvas and the notifications have ended. */
const settled = page => page.waitForTimeout(6_000);

async function takePictures(signIn, address) {
  const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  try {
    const viewport = { width: 1560, height: 740 };
    const context = await browser.newContext({ viewport, deviceScaleFactor: 1.25, colorScheme: 'light' });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(signIn);
    await page.getByText('Timeline').first().waitFor();
    await settled(page);
    await page.screenshot({ path: path.join(pictures, 'console-run.png') });
    await page.goto(new URL(address, signIn).href);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('textbox', { name: 'Mail' }).fill(QUESTION);
    await page.getByRole('textbox', { name: 'Customer' }).fill('ada');
    await page.getByRole('button', { name: /run$/i }).last().click();
    await page.locator('.editor-node[data-state=active]').first().waitFor();
    await page.getByRole('button', { name: 'Fit View' }).click();
    await settled(page);
    await page.screenshot({ path: path.join(pictures, 'console-editor.png') });
  } finally {
    await browser.close();
  }
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'screenshot-'));
const server = await startShop();
const shop = `127.0.0.1:${server.address().port}`;
const started = await startDemo(dataDir, shop);
try {
  await takePictures(started.signIn, await createWorkflow(started, shop));
  console.log('written: docs/images/console-run.png, docs/images/console-editor.png');
} finally {
  const ended = new Promise(resolve => started.demo.once('exit', resolve));
  started.demo.kill('SIGTERM');
  await ended;
  server.closeAllConnections();
  server.close();
  rmSync(dataDir, { recursive: true, force: true });
}
