import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser, takePicture } from '../pages/browser.js';
import { awaitFinish } from '../rest/workflows/finished-run.js';
import { chain, node, output, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type McpTestServer, startMcpServer } from '../support/upstreams/mcp-server.js';
import { OAuthUpstream } from '../support/upstreams/oauth-server.js';
import { accessibilityFaults, createSample, openConsole, type Sample, signInByPassword } from './console-page.js';

describeInBrowser('A connection to an MCP server with OAuth in the console', () => {
  const upstream = new OAuthUpstream({ hasUsers: true });
  let service: TestService;
  let server: McpTestServer;
  let browser: Browser;
  let sample: Sample;
  beforeAll(async () => {
    [browser, service, server] = await Promise.all([
      launchBrowser(),
      startTestService({ outboundAllow: ['127.0.0.1'] }),
      startMcpServer({ intercept: upstream.intercept }),
    ]);
    sample = await createSample(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await server?.stop();
  });

  test.each(['light', 'dark'] as const)('needs only its URL and one click (%s)', async theme => {
    const { page, context, open } = await openConsole(browser, service, { theme, size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/settings?section=connections`, 'Connections');
    await page.getByRole('button', { name: 'New connection' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Kind' }).or(dialog.getByLabel('Kind')).first().click();
    await page.getByRole('option', { name: /MCP/ }).last().click();
    await dialog.getByLabel('Name').fill(`Tools ${theme}`);
    await dialog.getByLabel('Base URL').fill(server.url);
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, `mcp-connection-${theme}`);
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    // The authorization server consents at once and returns to the console.
    await page.getByText(`“Tools ${theme}” is authorized.`).waitFor();
    await takePicture(page, `mcp-connection-authorized-${theme}`);
    await open(`/projects/${sample.project}/settings?section=connections`, `Tools ${theme}`);
    expect(await page.getByText('Not authorized').count()).toBe(0);
    await page.getByRole('button', { name: `Actions for Tools ${theme}` }).click();
    await page.getByRole('menuitem', { name: 'Test' }).click();
    await page.getByText('The MCP server lists', { exact: false }).waitFor();
    const row = await page.getByRole('row', { name: `Tools ${theme}` }).textContent();
    const id = Number(/Id (\d+) ·/.exec(row ?? '')?.[1]);
    const tool = { connection_id: id, endpoint_url: '', tool: 'echo', arguments: { text: 'hi' } };
    const data = chain(trigger(), node('mcp-node', tool), output());
    const workflow = await service.rest('POST', '/api/v1/workflows/', {
      body: { project: sample.project, title: 'Call the tool', data },
    });
    const run = await service.rest('POST', `/api/v1/workflows/${workflow.body.id}/run/`, { body: {} });
    expect((await awaitFinish(service, run.body.data.id)).status).toBe('succeed');
    await context.close();
  });
});
