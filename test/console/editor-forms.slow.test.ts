import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, takePicture } from '../pages/browser.js';
import { eventually } from '../support/eventually.js';
import { chain, field, ifElse, llm, node, output, template, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { bearer, createLogin } from '../support/sessions.js';
import { startMcpServer } from '../support/upstreams/mcp-server.js';
import { accessibilityFaults, createSample, openConsole, type Sample, signInByPassword } from './console-page.js';

const CHECK = `query ($data: JSON!) {
  workflowCheck(data: $data) { issues { message path nodeId } }
}`;

describeInBrowser('The forms of the editor', () => {
  let service: TestService;
  let browser: Browser;
  let sample: Sample;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
    sample = await createSample(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function createWorkflow(title: string, data: object): Promise<number> {
    const body = { project: sample.project, title, data };
    return ((await service.rest('POST', '/api/v1/workflows/', { body })).body as { id: number }).id;
  }

  /** Opens a workflow in the editor. `select` selects the node whose label or type contains the text. */
  async function inEditor(id: number, work: (page: Page, select: (label: string) => Promise<void>) => Promise<void>) {
    const { context, page, open, complaints } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/workflows/${id}`, 'Add node');
    const select = async (label: string) => {
      await page.locator('.react-flow__node').filter({ hasText: label }).first().click();
      await page.getByRole('textbox', { name: 'Label of the node' }).waitFor();
    };
    await work(page, select);
    expect(complaints()).toEqual([]);
    await context.close();
  }

  const expectValue = (box: ReturnType<Page['getByRole']>, value: RegExp) =>
    eventually(
      () => box.inputValue(),
      text => value.test(text),
    );
  /** Waits until the stored settings of the node at `index` meet the condition, and returns them. */
  const awaitSaved = (id: number, index: number, holds: (data: Record<string, any>) => boolean) =>
    eventually(async () => (await service.rest('GET', `/api/v1/workflows/${id}/`)).body.data.nodes[index].data, holds);

  test('conditions are grouped, and their fields follow the operator', async () => {
    const id = await createWorkflow(
      'Grouped',
      chain(trigger(field('age')), ifElse('{{ input.age }}', '==', '1'), output()),
    );
    await inEditor(id, async (page, select) => {
      await select('if-else-node');
      const choose = async (box: ReturnType<Page['getByRole']>, operator: string) => {
        await box.getByRole('combobox', { name: 'Comparison' }).click();
        await page.getByRole('option', { name: operator, exact: true }).click();
      };
      await page.getByRole('button', { name: 'Add condition' }).click();
      const second = page.getByRole('group', { name: 'Condition 2' });
      await second.getByRole('textbox', { name: 'Left side' }).fill('{{ input.age }}');
      await choose(second, 'is between');
      await second.getByRole('textbox', { name: 'From' }).fill('18');
      await second.getByRole('textbox', { name: 'To' }).fill('65');
      await page.getByText('Any', { exact: true }).click();
      await page.getByRole('button', { name: 'Add group' }).click();
      const inner = page.getByRole('group', { name: 'Group 3' });
      await inner.getByText('None', { exact: true }).click();
      await inner.getByRole('textbox', { name: 'Left side' }).fill('{{ input.age }}');
      await choose(inner, 'exists');
      expect(await inner.getByRole('textbox', { name: 'Right side' }).count()).toBe(0);
      await page.getByRole('group', { name: 'Condition 1' }).first().getByRole('switch').click();
      await takePicture(page, 'editor-conditions');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press('Control+S');
      const data = await awaitSaved(id, 1, ({ condition }) => condition.conditions?.length === 3);
      expect(data.condition).toEqual({
        combine: 'or',
        conditions: [
          { left: '{{ input.age }}', operator: '==', right: '1', ignore_case: true },
          { left: '{{ input.age }}', operator: 'between', right: ['18', '65'] },
          { combine: 'not', conditions: [{ left: '{{ input.age }}', operator: 'exists' }] },
        ],
      });
      await page.getByRole('button', { name: 'Remove group 3' }).click();
      await page.getByRole('button', { name: 'Remove condition 2' }).click();
      await page.getByRole('button', { name: 'Add condition' }).waitFor();
      await page.keyboard.press('Control+S');
      await awaitSaved(
        id,
        1,
        ({ condition }) => condition.left === '{{ input.age }}' && condition.conditions === undefined,
      );
    });
  });

  test('a secret stays hidden while a placeholder is typed, and a name that two rows have is reported', async () => {
    const call = node('http-node', { url: 'https://example.com', headers: { 'X-Key': 'first', 'X-Other': 'b' } });
    const id = await createWorkflow('Headers', chain(trigger(field('key')), call, output()));
    await inEditor(id, async (page, select) => {
      await select('http-node');
      const secret = page.getByLabel('Headers: X-Key');
      await secret.click();
      await page.keyboard.press('Control+A');
      // Typed key by key: an element that loses the focus loses the rest.
      await page.keyboard.type('key-{{ input.key }}');
      await expectValue(secret, /^key-\{\{ input\.key \}\}$/);
      expect(await secret.getAttribute('type')).toBe('password');
      await page.getByRole('textbox', { name: 'Headers: name' }).first().click();
      expect(await secret.getAttribute('type')).toBe('password');
      await secret.fill('Bearer {{ input.key }}');
      await page.getByRole('textbox', { name: 'Headers: name' }).first().click();
      await page.locator('.cm-value', { hasText: '{{ input.key }}' }).waitFor();
      await page.getByRole('textbox', { name: 'Headers: name' }).nth(1).fill('X-Key');
      await page.getByText('A later row has this name. Only that row is kept.').waitFor();
      await page.getByRole('textbox', { name: 'Headers: name' }).nth(1).fill('X-Second');
      expect(await page.getByText('A later row has this name').count()).toBe(0);
      await page.keyboard.press('Control+S');
      const { headers } = await awaitSaved(id, 1, data => data.headers['X-Second'] !== undefined);
      expect(Object.keys(headers)).toEqual(['X-Key', 'X-Second']);
    });
  });

  test('a case of a switch asks for what its comparison needs', async () => {
    const cases = node('switch-node', { value: '{{ input.age }}', cases: [{ equals: '1' }] });
    const id = await createWorkflow('Cases', chain(trigger(field('age')), cases, output()));
    await inEditor(id, async (page, select) => {
      await select('switch-node');
      await page.getByRole('textbox', { name: 'Equals' }).waitFor();
      await page.getByRole('combobox', { name: 'Comparison' }).click();
      await page.getByRole('option', { name: 'starts with', exact: true }).click();
      await page.getByRole('textbox', { name: 'Compare with' }).fill('4');
      await page.getByText('Ignore case').waitFor();
      expect(await page.getByRole('textbox', { name: 'Equals' }).count()).toBe(0);
      await page.keyboard.press('Control+S');
      await awaitSaved(id, 1, data => data.cases[0].operator === 'starts_with' && data.cases[0].right === '4');
    });
  });

  test('a new message of a model has the role of a user', async () => {
    const id = await createWorkflow('Messages', chain(trigger(), llm('Hi'), output()));
    await inEditor(id, async (page, select) => {
      await select('basic-node');
      await page.getByRole('button', { name: 'Add message' }).click();
      const role = page.getByRole('combobox', { name: 'Role' }).nth(1);
      await expectValue(role, /^user$/i);
      await role.click();
      await page.getByRole('option', { name: /^assistant$/i }).click();
      await page.keyboard.press('Control+S');
      await awaitSaved(id, 1, data => data.messages[1]?.role === 'assistant');
    });
  });

  test('functions of expressions are completed with their signature and an example', async () => {
    const id = await createWorkflow('Completed', chain(trigger(field('name')), template('Hi'), output()));
    await inEditor(id, async (page, select) => {
      await select('template-node');
      const text = page.getByRole('textbox', { name: 'Text', exact: true });
      await text.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('{{ trunc');
      await page.getByText('truncate(text: text, length: count', { exact: false }).last().waitFor();
      await page.locator('.cm-completionInfo').getByText('→').first().waitFor();
      await takePicture(page, 'editor-completion');
      await page.keyboard.press('Tab');
      await page.keyboard.type('input.na');
      await page.locator('.cm-tooltip-autocomplete').getByText('input.name').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.type(', 3) | upp');
      await page.locator('.cm-tooltip-autocomplete').getByText('upper').first().waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.type(' }}');
      await page.keyboard.press('Control+S');
      await awaitSaved(id, 1, data => data.template === '{{ truncate(input.name, 3) | upper }}');
    });
  });

  test('a part of a graph is run up to a node, with a pinned result', async () => {
    const [start, first, second] = [trigger(field('name')), template('Hello {{ input.name }}'), template('')];
    first.data.label = 'Greet';
    second.data.label = 'Shout';
    second.data.template = `{{ nodes.${first.id}.content | upper }}!`;
    const broken = template('{{ input.missing }}');
    const id = await createWorkflow('Partial', chain(start, first, second, broken, output()));
    await inEditor(id, async (page, select) => {
      const run = async (label: string, state: string | RegExp = 'Succeeded') => {
        await select(label);
        await page.getByRole('button', { name: 'Run to here' }).click();
        await page.getByRole('heading', { name: `Run to ${label}` }).waitFor();
        await page.getByRole('button', { name: 'Run to this node' }).click();
        const panel = page.getByRole('region', { name: 'Run' });
        await (typeof state === 'string' ? panel.getByRole('status') : panel)
          .getByText(state)
          .first()
          .waitFor()
          .finally(() => takePicture(page, 'editor-run-to'));
      };
      const result = async (label: string, text: string) => {
        await select(label);
        await page.getByRole('tab', { name: 'Result' }).click();
        await page.getByText(text, { exact: true }).waitFor();
      };
      await select('Greet');
      await page.getByRole('button', { name: 'Run to here' }).click();
      // Characters that must not be read as a placeholder, JSON or an escape.
      await page.getByRole('textbox', { name: 'name' }).fill('Ada "{{{ \\o');
      await page.getByRole('button', { name: 'Run to this node' }).click();
      await result('Greet', 'Hello Ada "{{{ \\o');
      await page.getByRole('button', { name: 'Pin this result' }).click();
      await page.getByRole('img', { name: 'Result pinned' }).waitFor();
      // The first node would fail now, but it is not run.
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByRole('textbox', { name: 'Text', exact: true }).fill('{{ input.missing }}');
      await run('Shout');
      await result('Shout', 'HELLO ADA "{{{ \\O!');
      await takePicture(page, 'editor-pinned');
      await result('Greet', 'Hello Ada "{{{ \\o');
      await page.getByRole('button', { name: 'Unpin' }).click();
      await run('Shout', /failed|was not started/i);
    });
  });

  test('a body of a loop is edited and saved', async () => {
    const inner = template('Item {{ input.item }}');
    const loop = node('loop-node', { items: '[1, 2]', body: { nodes: [trigger(), inner], edges: [] } });
    const id = await createWorkflow('Loop', chain(trigger(), loop, output()));
    await inEditor(id, async (page, select) => {
      await select('loop-node');
      await page.getByRole('button', { name: /Open the graph/ }).click();
      await select('template-node');
      await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Number {{ input.item }}');
      await page.keyboard.press('Control+S');
      await awaitSaved(id, 1, data => data.body.nodes[1].data.template === 'Number {{ input.item }}');
      await page.getByRole('navigation', { name: 'Open graph' }).getByRole('button', { name: 'Workflow' }).click();
      await page.locator('.react-flow__node').filter({ hasText: 'loop-node' }).waitFor();
    });
  });

  test.each<['switch' | 'group', string, string, object | undefined]>([
    ['switch', 'Ignore case', 'cases.0.ignore_case', [{ operator: 'contains', right: 'a', ignore_case: 'yes' }]],
    ['group', 'Cases', 'cases', undefined],
  ])('the error of a %s is shown once, as its description', async (role, name, path, cases) => {
    const data = chain(trigger(), node('switch-node', { value: 'A', cases }), output());
    const { issues } = (await service.graphql(CHECK, { data })).data.workflowCheck;
    const { message } = issues.find((issue: { path: string | null }) => issue.path === path);
    const id = await createWorkflow('Cases', data);
    await inEditor(id, async (page, select) => {
      await select('switch-node');
      const faultId = await eventually(
        () => page.getByRole(role, { name }).getAttribute('aria-describedby'),
        value => value !== null,
      );
      const text = new RegExp(`^${message}`, 'i');
      expect(await page.locator(`[id="${faultId}"]`).innerText()).toMatch(text);
      expect(await page.locator(`[data-path="${path}"]`).getByText(text).count()).toBe(1);
    });
  });

  test('a file of the input is uploaded and run', async () => {
    const file = field('file', { title: 'File', type: 'file' });
    const id = await createWorkflow('Upload', chain(trigger(file), template('Got {{ input.file }}'), output()));
    await inEditor(id, async page => {
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: /Upload/ }).click();
      await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') });
      await expectValue(page.getByRole('combobox', { name: 'File' }), /^notes\.txt$/);
      await page.getByRole('button', { name: 'Save and run' }).click();
      await page.getByRole('region', { name: 'Run' }).getByText('Succeeded').waitFor();
    });
  });

  test('the tools of an MCP server are offered', async () => {
    const server = await startMcpServer();
    const outboundService = await startTestService({ outboundAllow: ['127.0.0.1'] });
    const user = await createLogin(outboundService, 'tools');
    const asUser = bearer(user.access);
    const created = await outboundService.rest('POST', '/api/v1/projects/', { ...asUser, body: { name: 'Tools' } });
    const project = created.body.id;
    const data = chain(trigger(), node('mcp-node', { endpoint_url: server.url }), output());
    const body = { project, title: 'Tools', data };
    const { id } = (await outboundService.rest('POST', '/api/v1/workflows/', { ...asUser, body })).body;
    const { page, context, open, complaints } = await openConsole(browser, outboundService, {
      theme: 'light',
      size: 'wide',
    });
    await signInByPassword(page, outboundService, user.email);
    await open(`/projects/${project}/workflows/${id}`, 'Add node');
    await page.locator('.react-flow__node').filter({ hasText: 'mcp-node' }).click();
    await page.getByRole('combobox', { name: 'Tool', exact: true }).click();
    await page.getByRole('option', { name: 'echo' }).waitFor();
    expect(complaints()).toEqual([]);
    await context.close();
    await outboundService.stop();
    await server.stop();
  });

  test('a workflow starts from a template or from an imported graph', async () => {
    const { context, page, open, complaints } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    const create = async (source: string, fill: (dialog: ReturnType<Page['getByRole']>) => Promise<unknown>) => {
      await open(`/projects/${sample.empty}/workflows?create=true`, 'New workflow');
      const dialog = page.getByRole('dialog', { name: 'New workflow' });
      await dialog.getByText(source, { exact: true }).click();
      await fill(dialog);
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create workflow' }).click();
      await page.getByText('Add node').waitFor();
      return Number(/workflows\/(\d+)/.exec(page.url())?.[1]);
    };
    const checkOf = async (id: number) => {
      const { body } = await service.rest('GET', `/api/v1/workflows/${id}/`);
      const { data } = await service.graphql(CHECK, { data: body.data });
      return [body.title, data.workflowCheck.issues];
    };
    for (const title of ['Answer a question', 'Extract data from a text', 'Sort messages', 'Work through a list']) {
      const id = await create('Template', dialog => dialog.getByRole('radio', { name: new RegExp(title) }).click());
      expect(await checkOf(id)).toEqual([title, []]);
    }
    const graph = { title: 'From elsewhere', data: chain(trigger(), template('Hi'), output()) };
    const imported = await create('Import', dialog =>
      dialog.getByRole('textbox', { name: 'Graph as JSON' }).fill(JSON.stringify(graph)),
    );
    expect(await checkOf(imported)).toEqual(['From elsewhere', []]);
    expect(complaints()).toEqual([]);
    await context.close();
  });
});
