import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../pages/browser.js';
import { node } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createSample, openConsole, type Sample, signInByPassword } from '../console-page.js';
import { describeMeasure } from './describe-measure.js';
import { reportFigure } from './figures.js';
import { measureGesture, printFrames } from './frames.js';
import { openPlainCanvas } from './plain-canvas.js';

const NODES = 500;
/** The time of a frame at 50 frames per second. */
const MAX_FRAME_MS = 20;

function largeGraph() {
  const nodes = Array.from({ length: NODES }, (_, index) => ({
    ...node('template-node', { template: `Text ${index}` }, `n${index}`),
    position: { x: (index % 25) * 300, y: Math.floor(index / 25) * 120 },
  }));
  const edges = nodes.slice(1).map((one, index) => ({ id: `e${index}`, source: `n${index}`, target: one.id }));
  return { nodes, edges, start_node: 'n0' };
}

describeMeasure(`A canvas of ${NODES} nodes`, () => {
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

  test('is panned and dragged', async () => {
    const graph = largeGraph();
    const plainWindow = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    const plain = plainWindow.page;
    await openPlainCanvas(plain, `${service.url}/plain-canvas`, graph);
    for (const gesture of ['pan', 'drag'] as const) {
      printFrames(`Only React Flow, ${NODES} nodes, ${gesture}`, await measureGesture(plain, gesture));
    }
    await plainWindow.context.close();
    const body = { project: sample.project, title: 'Large', data: graph };
    const { id } = (await service.rest('POST', '/api/v1/workflows/', { body })).body as { id: number };
    const { page, context, open, complaints } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/workflows/${id}`, 'Add node');
    await page.locator('.react-flow__node').first().waitFor();
    for (const gesture of ['pan', 'drag'] as const) {
      const report = await measureGesture(page, gesture);
      printFrames(`Editor, ${NODES} nodes, ${gesture}`, report);
      // Frames that the main thread has time for: other processes do not change this number.
      reportFigure('canvas-frames', 1_000 / report.cpuMs);
      reportFigure('canvas-longest-task', report.longestTaskMs);
      expect(report.cpuMs).toBeLessThan(MAX_FRAME_MS);
    }
    reportFigure('complaints', complaints().length);
    expect(complaints()).toEqual([]);
    await context.close();
  });
});
