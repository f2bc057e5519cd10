import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, takePicture } from '../../pages/browser.js';
import { eventually } from '../../support/eventually.js';
import { type Json, node } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { accessibilityFaults, createSample, openConsole, type Sample, signInByPassword } from '../console-page.js';

interface Field {
  path: string;
  title: string;
  widget: string;
  group: string;
  optionsFrom: string | null;
  showIf: { path: string; equals: unknown[] } | null;
}

interface Kind {
  type: string;
  title: string;
  documentation: string;
  defaults: Json;
  schema: Json;
  uiHints: { fields: Field[] };
}

const KINDS = `{
  nodeKinds {
    type title documentation defaults schema
    uiHints { fields { path title widget group optionsFrom showIf { path equals } } }
  }
}`;

const CHECK = `query ($data: JSON!) {
  workflowCheck(data: $data) { issues { code severity message path nodeId } }
}`;

const valueAt = (data: unknown, path: string) =>
  path.split('.').reduce<any>((value, name) => value?.[name] ?? undefined, data);

function withValueAt(data: Json, [name = '', ...rest]: readonly string[], value: unknown): Json {
  return { ...data, [name]: rest.length === 0 ? value : withValueAt((data[name] ?? {}) as Json, rest, value) };
}

/** The fields of the form of a node with the defaults of its kind, without those of items of lists. */
function fieldsOf({ defaults, uiHints: { fields } }: Kind): Field[] {
  return fields.filter(({ path, widget, showIf }) => {
    if (path.includes('*') || path === 'label' || widget === 'HIDDEN') return false;
    // The empty text also stands for an absent value.
    return !showIf || showIf.equals.includes(valueAt(defaults, showIf.path) ?? '');
  });
}

/** Values that the test enters in fields that are empty at first, by their widgets. */
const ENTERED: Record<string, (kind: Kind, field: Field) => string | number> = {
  TEXT: () => '{{ input.sample }}',
  TEXTAREA: ({ title }) => `A sample of ${title}`,
  URL: ({ type }) => `https://${type}.invalid/`,
  // Each number of a form can be 1.
  NUMBER: () => 1,
};

/** Fields whose values are selected in the service, and those for failures, keep their defaults. */
function enteredFields(kind: Kind): (Field & { value: string | number })[] {
  return fieldsOf(kind).flatMap(field => {
    const enter = ENTERED[field.widget];
    const isEmpty = (valueAt(kind.defaults, field.path) ?? '') === '';
    const isSelected = field.optionsFrom !== null && field.optionsFrom !== 'MCP_TOOLS';
    if (!enter || !isEmpty || isSelected || field.group === 'ERRORS') return [];
    return [{ ...field, value: enter(kind, field) }];
  });
}

const labelOf = ({ type }: Kind) => `The ${type}`;

describeInBrowser('The editor with every kind of node', () => {
  let service: TestService;
  let browser: Browser;
  let sample: Sample;
  let kinds: Kind[];
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
    sample = await createSample(service);
    kinds = (await service.graphql(KINDS)).data.nodeKinds;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function createWorkflow(title: string, data: object): Promise<number> {
    const body = { project: sample.project, title, data };
    return ((await service.rest('POST', '/api/v1/workflows/', { body })).body as { id: number }).id;
  }

  const storedGraph = async (id: number) => (await service.rest('GET', `/api/v1/workflows/${id}/`)).body.data;

  /** Opens a workflow in the editor. */
  async function inEditor(id: number, work: (page: Page, form: Locator) => Promise<void>): Promise<void> {
    const { context, page, open, complaints } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/workflows/${id}`, 'Add node');
    await work(page, page.getByRole('region', { name: 'Selected node' }));
    expect(complaints()).toEqual([]);
    await context.close();
  }

  async function select(page: Page, kind: Kind): Promise<void> {
    // With the keyboard, because a node of a large graph may be outside of the window.
    await page
      .locator('.react-flow__node')
      .filter({ hasText: labelOf(kind) })
      .first()
      .press('Enter');
    await eventually(
      () => page.getByRole('textbox', { name: 'Label of the node' }).inputValue(),
      label => label === labelOf(kind),
    );
  }

  const elementOf = (form: Locator, { path }: Field) => form.locator(`[data-path="${path}"]`);
  const inputOf = (form: Locator, field: Field) =>
    elementOf(form, field).locator('.cm-content, textarea, input:not([type=hidden])').first();

  /** Opens the groups that are closed at first. */
  async function openGroups(form: Locator): Promise<void> {
    const closed = form.locator('.editor-closed-group > button[aria-expanded=false]');
    while ((await closed.count()) > 0) await closed.first().click();
  }

  test('each kind shows all fields of its form', async () => {
    const nodes = kinds.map((kind, index) => ({
      ...node(kind.type, { ...kind.defaults, label: labelOf(kind) }),
      position: { x: (index % 7) * 300, y: Math.floor(index / 7) * 160 },
    }));
    const id = await createWorkflow('Every kind', { nodes, edges: [], start_node: nodes[0]?.id });
    await inEditor(id, async (page, form) => {
      const faults: string[] = [];
      for (const kind of kinds) {
        await select(page, kind);
        await takePicture(page, `form-${kind.type}`);
        await openGroups(form);
        for (const field of fieldsOf(kind)) {
          const element = elementOf(form, field);
          // A group of conditions has no title.
          const shown = field.widget === 'CONDITION' ? element : element.getByText(field.title, { exact: true });
          if ((await shown.filter({ visible: true }).count()) === 0)
            faults.push(`${kind.type}: ${field.path} is not shown`);
        }
        const help = await form.getByRole('link', { name: 'Documentation' }).getAttribute('href');
        expect(help).toBe(`/help/nodes#${kind.type}`);
        // Buttons of the canvas are small because the whole graph is shown. The test of the canvas checks them.
        const ofForm = (await accessibilityFaults(page)).filter(fault => !/Add a node after|editor-node/.test(fault));
        faults.push(...ofForm.map(fault => `${kind.type}: ${fault}`));
      }
      expect(faults).toEqual([]);
      await page.goto(`${service.url}/help/nodes`);
      await page.getByRole('heading', { name: 'http-node', exact: true }).waitFor();
      const chapters = await page.evaluate(`[...document.querySelectorAll('.help-page [id]')].map(({ id }) => id)`);
      const anchors = kinds.map(({ documentation }) => documentation.split('#')[1]);
      expect(anchors.filter(anchor => !(chapters as string[]).includes(anchor ?? ''))).toEqual([]);
    });
  });

  test('a graph with each kind is built from the list, saved, and has the same settings after a reload', async () => {
    const id = await createWorkflow('Built by clicks', { nodes: [], edges: [] });
    const expected = new Map<string, Json>();
    await inEditor(id, async (page, form) => {
      for (const kind of kinds) {
        await page.getByRole('button', { name: 'Add node' }).click();
        await page.locator(`[role=option][id$="-${kind.type}"]`).click();
        await form.getByRole('textbox', { name: 'Label of the node' }).fill(labelOf(kind));
        await openGroups(form);
        let data: Json = { ...kind.defaults, label: labelOf(kind) };
        for (const field of enteredFields(kind)) {
          await inputOf(form, field).fill(String(field.value));
          data = withValueAt(data, field.path.split('.'), field.value);
        }
        expected.set(kind.type, data);
      }
      await takePicture(page, 'editor-every-kind');
      await page.keyboard.press('Control+S');
      await eventually(
        () => storedGraph(id),
        ({ nodes }) => nodes.length === kinds.length,
      );
    });
    const graph = await storedGraph(id);
    const settings = graph.nodes.map(({ type, data }: { type: string; data: Json }) => [type, data]);
    expect(Object.fromEntries(settings)).toEqual(Object.fromEntries(expected));
    const { data: checked } = await service.graphql(CHECK, { data: graph });
    const missing = checked.workflowCheck.issues.filter(({ message }: { message: string }) =>
      /required|must not be empty|must be an http/.test(message),
    );
    // The body of a loop is a graph of its own, which is opened to be built.
    expect(missing.map(({ path }: { path: string }) => path)).toEqual(['body']);
    await inEditor(id, async (page, form) => {
      for (const kind of kinds) {
        await select(page, kind);
        await openGroups(form);
        for (const field of enteredFields(kind)) {
          const input = inputOf(form, field);
          const isEditor = (await input.getAttribute('contenteditable')) !== null;
          const value = isEditor ? await input.innerText() : await input.inputValue();
          expect([kind.type, field.path, value]).toEqual([kind.type, field.path, String(field.value)]);
        }
      }
    });
  });
});
