import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';
import { bearer, createLogin, type Login, PASSWORD } from '../support/sessions.js';
import {
  describeInBrowser,
  launchBrowser,
  openWatched,
  outsideRequests,
  takePicture,
  type WatchedPage,
  windowOptions,
} from './browser.js';
import { GraphiQLPage } from './graphiql-page.js';

/** Waits for a second between its two nodes, so that its run can be watched. */
const graph = {
  nodes: [
    { id: 'start', type: 'trigger-node', data: { next_nodes: ['pause'] } },
    { id: 'pause', type: 'delay-node', data: { next_nodes: ['end'], seconds: 1 } },
    { id: 'end', type: 'output-node', data: { value: 'brewed' } },
  ],
};

describeInBrowser('GraphiQL with a login', () => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let user: Login;
  let workflowId: number;
  let watched: WatchedPage;
  let page: Page;
  let graphiql: GraphiQLPage;
  /** The GraphQL that the page has sent over HTTP. */
  let sent: { text: string; headers: Record<string, string> }[];

  beforeAll(async () => {
    browser = await launchBrowser();
    service = await startTestService();
    context = await browser.newContext(windowOptions);
    user = await createLogin(service, 'ada');
    const asUser = bearer(user.access);
    const { body: project } = await service.rest('POST', '/api/v1/projects/', { ...asUser, body: { name: 'Ada’s' } });
    const { body: workflow } = await service.rest('POST', '/api/v1/workflows/', {
      ...asUser,
      body: { project: project.id, title: 'Brew', data: graph },
    });
    workflowId = workflow.id;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  beforeEach(async () => {
    watched = await openWatched(context);
    page = watched.page;
    sent = [];
    page.on('request', request => {
      const text = request.url().endsWith('/graphql') ? request.postData() : null;
      if (text !== null) sent.push({ text, headers: request.headers() });
    });
    graphiql = new GraphiQLPage(page);
    await page.goto(`${service.url}/graphiql`);
    await graphiql.waitUntilReady();
  });
  afterEach(async () => {
    await page.close();
    expect(watched.complaints).toEqual([]);
    expect(outsideRequests(watched.requests, service.url)).toEqual([]);
  });

  const loggedIn = () => page.locator('.bar').getByText(user.email).waitFor();
  const authorization = async (operation: string) => {
    await page.waitForFunction('document.readyState === "complete"');
    return sent.findLast(({ text }) => text.includes(operation))?.headers.authorization;
  };
  const stored = async (): Promise<string> => page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');

  test('sends a query, starts a run from the menu and follows it to its end', async () => {
    await graphiql.logIn(user.email, PASSWORD);
    await loggedIn();
    await graphiql.run();
    await graphiql.waitForResponse('"Ada’s"');
    expect(await authorization('ListProjects')).toMatch(/^Bearer ey/);
    await takePicture(page, 'graphiql-logged-in');

    await page.getByRole('button', { name: 'Show Operations' }).click();
    await page.locator('.operations').getByText('Workflow runs').click();
    await takePicture(page, 'graphiql-operations');
    await graphiql.pick('workflowRunStart');
    await graphiql.setVariables({ workflowId });
    const answer = page.waitForResponse(
      response => response.request().postData()?.includes('WorkflowRunStart') === true,
    );
    await graphiql.run();
    const { data } = (await (await answer).json()) as { data: any };
    expect(data.workflowRunStart.receipt.status).toBe(201);
    await graphiql.pick('workflowRunChanged');
    await graphiql.setVariables({ id: data.workflowRunStart.receipt.run.id, afterSequence: 0 });
    await takePicture(page, 'graphiql-menu');
    const frames: string[] = [];
    page.on('websocket', socket =>
      socket.on('framereceived', ({ payload }) => {
        frames.push(String(payload));
      }),
    );
    await graphiql.run();
    await graphiql.waitForResponse('"RUN_SUCCEEDED"');
    const kinds = frames.flatMap(frame => /"kind":"(\w+)"/.exec(frame)?.[1] ?? []);
    expect(kinds).toEqual(expect.arrayContaining(['NODE_STARTED', 'NODE_WAITING', 'NODE_SUCCEEDED', 'RUN_SUCCEEDED']));
    await takePicture(page, 'graphiql-followed');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('.graphiql-query-editor .monaco-editor.vs-dark').waitFor();
    await takePicture(page, 'graphiql-dark');
  });

  test('keeps tokens and password out of every storage, and ends the session with the page', async () => {
    await graphiql.logIn(user.email, PASSWORD);
    await loggedIn();
    await graphiql.run();
    await graphiql.waitForResponse('"Ada’s"');
    const kept = await stored();
    expect(kept).toContain('ListProjects');
    const token = (await authorization('ListProjects'))?.slice('Bearer '.length) ?? '';
    for (const secret of [token, token.split('.')[2] as string, PASSWORD, 'eyJ']) expect(kept).not.toContain(secret);
    expect(await context.cookies()).toEqual([]);
    expect((await service.rest('GET', '/api/v1/projects/', bearer(token))).status).toBe(200);

    await page.reload();
    await graphiql.waitUntilReady();
    await page.getByLabel('API key', { exact: true }).waitFor();
    const statusOf = async () => (await service.rest('GET', '/api/v1/projects/', bearer(token))).status;
    await eventually(statusOf, status => status === 401);
  });

  test('continues a subscription when its socket has expired', async () => {
    let sockets = 0;
    await page.routeWebSocket(/\/graphql$/, socket => {
      sockets += 1;
      const server = socket.connectToServer();
      if (sockets > 1) return;
      // The service closes like this once the token that opened the socket has expired.
      server.onMessage(message => {
        socket.send(message);
        if (!String(message).includes('"type":"next"')) return;
        void server.close();
        void socket.close({ code: 4403, reason: 'Forbidden' });
      });
    });
    await graphiql.logIn(user.email, PASSWORD);
    await loggedIn();
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflowId}/run/`, {
      ...bearer(user.access),
      body: { input_data: {} },
    });
    await graphiql.openTab('WatchRun');
    await graphiql.setVariables({ id: body.data.id, afterSequence: 0 });
    await graphiql.run();
    await graphiql.waitForResponse('"RUN_SUCCEEDED"');
    expect(sockets).toBe(2);
  });

  test('reports why a login was refused, and returns to the key after a logout', async () => {
    await graphiql.logIn(user.email, 'not the password');
    const hint = page.locator('.bar-fault');
    await hint.waitFor();
    await expect(hint.innerText()).resolves.toMatch(/password is wrong/);
    await takePicture(page, 'graphiql-refused');
    // The browser itself reports the 401 of the refusal.
    expect(watched.complaints.splice(0).filter(text => !text.includes('status of 401'))).toEqual([]);

    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await loggedIn();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    expect(sent.some(({ text }) => text.includes('sessionEnd'))).toBe(true);
    await graphiql.run();
    await graphiql.waitForResponse('UNAUTHENTICATED');
    expect(watched.complaints.splice(0).filter(text => !text.includes('status of 401'))).toEqual([]);
  });

  // Last, because it changes the clock of every page of the context.
  test('renews the access token with the refresh token before it expires', async () => {
    await graphiql.logIn(user.email, PASSWORD);
    await loggedIn();
    await graphiql.run();
    await graphiql.waitForResponse('"Ada’s"');
    await page.clock.setFixedTime(Date.now() + 15 * 60_000);
    const renewed = page.waitForResponse(response => response.request().postData()?.includes('Renew') === true);
    const asked = page.waitForResponse(response => response.request().postData()?.includes('ListProjects') === true);
    await graphiql.run();
    const { data } = (await (await renewed).json()) as { data: any };
    const next = (await asked).request();
    expect(next.headers().authorization).toBe(`Bearer ${data.sessionRefresh.session.access}`);
    expect((await next.response())?.status()).toBe(200);
    expect(sent.filter(({ text }) => text.includes('sessionRefresh')).length).toBe(1);
  });
});
