import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../pages/browser.js';
import { chain, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createSample, openConsole, type Sample, signInByPassword } from '../console-page.js';
import { describeMeasure } from './describe-measure.js';
import { reportFigure } from './figures.js';

const NODES = 200;
const EVENTS_PER_SECOND = 2_000;
const SECONDS = 5;
/** Processor time of the page's main thread per second of events, in milliseconds. */
const MAX_BUSY_MS = 800;

const START = `mutation ($workflowId: Int!, $input: JSON) {
  workflowRunStart(workflowId: $workflowId, input: $input) { run { id } }
}`;

/** Keeps the socket that carries the stream of the run. */
const KEEP_STREAM = `
  const Native = WebSocket;
  window.WebSocket = class extends Native {
    send(message) {
      if (message.includes('"subscribe"') && message.includes('workflowRunChanged')) {
        window.stream = { socket: this, id: JSON.parse(message).id };
      }
      super.send(message);
    }
  };`;

/** Delivers events in the page as the socket would, a few every 10 ms. Returns the seconds that it took. */
const SEND_EVENTS = `async ({ first, perSecond, seconds, nodes }) => {
  const { socket, id } = window.stream;
  const eventOf = (sequence, kind, nodeId) => ({
    __typename: 'WorkflowRunChange', sequence, kind, at: new Date().toISOString(),
    node: {
      __typename: 'WorkflowRunNode', nodeId, iteration: null, content: kind === 'NODE_STARTED' ? null : 'Result ' + sequence,
      status: kind === 'NODE_STARTED' ? 'RUNNING' : 'SUCCEEDED',
      waitedMs: null, finishReason: null, error: null, usage: null, wait: null, step: null,
    },
  });
  const began = performance.now();
  let sent = 0;
  while (sent < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - began) / 1000) * perSecond);
    for (; sent < due; sent++) {
      const change = eventOf(first + sent, sent % 2 ? 'NODE_SUCCEEDED' : 'NODE_STARTED', 'n' + ((sent >> 1) % nodes));
      const data = JSON.stringify({ id, type: 'next', payload: { data: { workflowRunChanged: change } } });
      socket.dispatchEvent(new MessageEvent('message', { data }));
    }
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  return (performance.now() - began) / 1000;
}`;

/** Counts frames and long tasks in the page from now on. */
const WATCH = `{
  const seen = { frames: 0, longest: 0, began: performance.now() };
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
  }).observe({ type: 'longtask' });
  const frame = () => { seen.frames++; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  window.seen = seen;
}`;

describeMeasure(`A run of ${NODES} nodes with ${EVENTS_PER_SECOND} events per second`, () => {
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

  /** A run that waits, so that the test decides what its other nodes do. */
  async function startRun(nodes: ReturnType<typeof node>[]): Promise<string> {
    const data = chain(trigger(), node('delay-node', { seconds: 3_600 }), ...nodes, output());
    const body = { project: sample.project, title: 'Many nodes', data };
    const { id } = (await service.rest('POST', '/api/v1/workflows/', { body })).body as { id: number };
    const { data: answer } = await service.graphql(START, { workflowId: id, input: {} });
    return answer.workflowRunStart.run.id;
  }

  test('is shown without a long task, and no event is missing', async () => {
    // `startRun` adds the trigger, the delay and the output.
    const nodes = Array.from({ length: NODES - 3 }, (_, index) =>
      node('template-node', { template: `${index}` }, `n${index}`),
    );
    const run = await startRun(nodes);
    const { page, context, open, complaints } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await page.addInitScript(KEEP_STREAM);
    await open(`/projects/${sample.project}/runs/${run}?tab=events`, 'waiting');
    await page.waitForFunction('window.stream !== undefined');
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const readBusyMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
    };
    await page.evaluate(WATCH);
    const before = await readBusyMs();
    // Greater than the sequence of any event that the service has sent.
    const first = 1_000;
    const total = EVENTS_PER_SECOND * SECONDS;
    const options = { first, perSecond: EVENTS_PER_SECOND, seconds: SECONDS, nodes: nodes.length };
    const seconds = (await page.evaluate(`(${SEND_EVENTS})(${JSON.stringify(options)})`)) as number;
    const last = String(first + total - 1);
    await page.getByRole('region', { name: 'Events' }).getByText(last, { exact: true }).waitFor();
    const { frames, longest, shown } = (await page.evaluate(
      '({ ...window.seen, shown: (performance.now() - window.seen.began) / 1000 })',
    )) as Record<string, number>;
    const busyMs = ((await readBusyMs()) - before) / seconds;
    process.stderr.write(
      `run view, ${NODES} nodes, ${EVENTS_PER_SECOND} events/s: ${(frames! / shown!).toFixed(0)} frames/s, ` +
        `${busyMs.toFixed(0)} ms of processor time per second, longest task ${longest!.toFixed(0)} ms\n`,
    );
    reportFigure('live-frames', frames! / shown!);
    reportFigure('live-longest-task', longest!);
    reportFigure('complaints', complaints().length);
    expect(busyMs).toBeLessThan(MAX_BUSY_MS);
    expect(complaints()).toEqual([]);
    await context.close();
  });
});
