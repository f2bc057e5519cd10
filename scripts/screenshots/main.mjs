// Writes the five pictures of the README to docs/images: npm run screenshot
//
// Starts the demo on a temporary data folder, with a shop whose refunds are slow, so that one node runs while the picture is
// taken, and with a model provider that answers at once.
// Needs `npm run build` and Chromium (CHROMIUM_PATH, default /usr/bin/chromium).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startShop } from './shop.mjs';
import { refundGraph, supportGraph } from './support-graph.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pictures = path.join(root, 'docs/images');
const QUESTION = 'My parcel 4711 did not arrive. Can I have my money back?';

/** Starts the demo. Returns its addresses when it has printed them. */
function startDemo(dataDir, shop) {
  const provider = { OPENAI_BASE_URL: `http://${shop}/v1`, OPENAI_API_KEY: 'stub' };
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', OUTBOUND_ALLOW: shop, ...provider };
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

/** Creates what the pictures show. Returns the paths of the screens. */
async function createContent({ url, key }, shop) {
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  const call = async (method, route, body) => {
    const response = await fetch(`${url}/api/v1/${route}`, { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { items } = await call('GET', 'projects/?size=1');
  const project = items[0].id;
  const create = (title, data) => call('POST', 'workflows/', { project, title, data });
  const support = await create('Answer support mail', supportGraph(`http://${shop}`));
  const versions = await create('Sort and answer mail', supportGraph(`http://${shop}`));
  await call('PATCH', `workflows/${versions.id}/`, { data: supportGraph(`http://${shop}`, { isRevised: true }) });
  const refund = await create('Refund with approval', refundGraph(`http://${shop}`));
  const complaint = 'Order 4711: the cup arrived broken. I paid 24.90 for it.';
  await call('POST', `workflows/${refund.id}/run/`, { complaint });
  const home = `/projects/${project}`;
  return {
    editor: `${home}/workflows/${support.id}`,
    versions: `${home}/workflows/${versions.id}/versions/compare?left=1&right=2`,
    approvals: `${home}/approvals`,
    playground: `${home}/playground?models=gpt-4o-mini,gpt-4o`,
  };
}

/** Waits until the zoom of the canvas and the notifications have ended. */
const waitUntilSettled = page => page.waitForTimeout(6_000);

async function takePictures(signIn, screens) {
  const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  try {
    const viewport = { width: 1560, height: 740 };
    const context = await browser.newContext({ viewport, deviceScaleFactor: 1.25, colorScheme: 'light' });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(signIn);
    await page.getByText('Timeline').first().waitFor();
    await waitUntilSettled(page);
    await page.screenshot({ path: path.join(pictures, 'console-run.png') });
    const open = screen => page.goto(new URL(screen, signIn).href);
    await open(screens.editor);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('textbox', { name: 'Mail' }).fill(QUESTION);
    await page.getByRole('textbox', { name: 'Customer' }).fill('ada');
    await page.getByRole('button', { name: /run$/i }).last().click();
    await page.locator('.editor-node[data-state=active]').first().waitFor();
    await page.getByRole('button', { name: 'Fit View' }).click();
    await waitUntilSettled(page);
    await page.screenshot({ path: path.join(pictures, 'console-editor.png') });
    await open(screens.approvals);
    await page.getByRole('button', { name: 'Approve' }).first().click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'amount' }).fill('20');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Comment' }).fill('Shipping is not refunded.');
    await waitUntilSettled(page);
    await page.screenshot({ path: path.join(pictures, 'console-approval.png') });
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(screens.versions);
    await page.getByRole('region', { name: 'Nodes' }).getByText('Changed').first().waitFor();
    await waitUntilSettled(page);
    await page.screenshot({ path: path.join(pictures, 'console-versions.png') });
    await open(screens.playground);
    await page.getByLabel('Message').fill('Write a short, friendly reply: my parcel is late.');
    await page.keyboard.press('Enter');
    await page.getByText('tokens').nth(1).waitFor();
    await waitUntilSettled(page);
    await page.screenshot({ path: path.join(pictures, 'console-playground.png') });
  } finally {
    await browser.close();
  }
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'screenshot-'));
const server = await startShop();
const shop = `127.0.0.1:${server.address().port}`;
const started = await startDemo(dataDir, shop);
try {
  await takePictures(started.signIn, await createContent(started, shop));
  console.log(`written: ${pictures}`);
} finally {
  const ended = new Promise(resolve => started.demo.once('exit', resolve));
  started.demo.kill('SIGTERM');
  await ended;
  server.closeAllConnections();
  server.close();
  rmSync(dataDir, { recursive: true, force: true });
}
