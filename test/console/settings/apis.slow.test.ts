import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser, takePicture } from '../../pages/browser.js';
import { chain, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  accessibilityFaults,
  createSample,
  openConsole,
  type Sample,
  signInByPassword,
  WINDOWS,
} from '../console-page.js';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '2.0' },
  servers: [{ url: 'https://pets.example.com/v1' }],
  paths: {
    '/pets/{id}': {
      get: {
        ...{ operationId: 'getPet', summary: 'Returns a pet.' },
        parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }],
      },
    },
    '/pets': { get: { operationId: 'listPets', summary: 'Lists all pets.' } },
    '/pictures': { post: { requestBody: { required: true, content: { 'image/png': {} } } } },
  },
};

describeInBrowser('Imported OpenAPI documents in the console', () => {
  let service: TestService;
  let browser: Browser;
  let sample: Sample;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
    sample = await createSample(service);
    const settings = { base_url: 'https://pets.example.com/v1' };
    const connection = { project: sample.project, name: 'Pet shop', kind: 'bearer', settings, secret: 'a-long-secret' };
    expect((await service.rest('POST', '/api/v1/connections/', { body: connection })).status).toBe(201);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function createWorkflow(): Promise<number> {
    const agent = { messages: [{ role: 'user', message: 'Hello.' }], settings: { model_name: 'echo' } };
    const http = node('http-node', { method: 'GET', url: 'https://example.com' }, 'http');
    const data = chain(trigger(), http, node('agent-node', agent, 'agent'), output());
    const body = { project: sample.project, title: 'Ask for pets', data };
    return (await service.rest('POST', '/api/v1/workflows/', { body })).body.id;
  }

  test.each(['light', 'dark'] as const)('fill HTTP nodes and add tools to agents (%s)', async theme => {
    const { page, context, complaints, open } = await openConsole(browser, service, { theme, size: 'wide' });
    const take = (name: string) => takePicture(page, `${name}-${theme}`);
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/settings?section=apis`, 'APIs');
    const dialog = page.getByRole('dialog');
    const workflow = await createWorkflow();
    const savedData = async (type: string) => {
      const { body } = await service.rest('GET', `/api/v1/workflows/${workflow}/`);
      return body.data.nodes.find((each: { type: string }) => each.type === type).data;
    };
    const name = `Pets ${theme}`;
    await page.getByRole('button', { name: 'Import API' }).first().click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Or its text').fill('{"openapi": "4.0"}');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('The document is not an OpenAPI document', { exact: false }).waitFor();
    await take('api-refused');
    await dialog.getByLabel('Or its text').fill(JSON.stringify(DOCUMENT));
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('1 not usable').first().waitFor();
    await take('apis');
    expect(await accessibilityFaults(page)).toEqual([]);

    await open(`/projects/${sample.project}/workflows/${workflow}?node=http`, 'Ask for pets');
    await page.getByRole('combobox', { name: 'Connection' }).click();
    await page.getByRole('option', { name: 'Pet shop' }).click();
    await take('http-connection');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved just now').waitFor();
    expect(await savedData('http-node')).toMatchObject({ connection_id: expect.any(Number) });
    await page.getByRole('button', { name: 'Fill from an operation' }).click();
    await dialog.getByLabel('Search').fill('returns');
    await dialog.getByText('listPets').waitFor({ state: 'detached' });
    await take('operations');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByText('getPet').click();
    await dialog.waitFor({ state: 'detached' });
    await take('http-from-operation');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved just now').waitFor();

    await open(`/projects/${sample.project}/workflows/${workflow}?node=agent`, 'Ask for pets');
    await page.getByRole('button', { name: 'Add an operation as a tool' }).click();
    await dialog.getByText('listPets').click();
    await dialog.waitFor({ state: 'detached' });
    await take('agent-with-operation');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved just now').waitFor();
    expect((await savedData('http-node')).url).toContain('https://pets.example.com/v1/pets/');
    expect((await savedData('agent-node')).tools.at(-1)).toMatchObject({ kind: 'http', name: 'listPets' });
    await page.setViewportSize(WINDOWS.phone);
    await open(`/projects/${sample.project}/settings?section=apis`, name);
    await take('apis-phone');
    expect(complaints()).toEqual([]);
    await context.close();
  });
});
