import type { CDPSession, Page } from 'playwright-core';

/** A movement of the wheel (`pan`) or of a node (`drag`), one step per frame, so that every frame has work. */
export type Gesture = 'pan' | 'drag';

export interface FrameReport {
  framesPerSecond: number;
  /** Processor time of the page's main thread per frame, in milliseconds. Other processes do not change it. */
  cpuMs: number;
  scriptMs: number;
  /** Style and layout. */
  layoutMs: number;
  /** The longest task of the main thread in milliseconds, 0 if none took 50. */
  longestTaskMs: number;
}

const FRAMES = 120;
/** A gesture starts when the page has had no long task for this time. */
const QUIET_MS = 500;

/** Runs in the page. Events that a script sends have the same handlers as those of a person. */
const SCRIPT = `async ({ gesture, frames, selector, quietMs }) => {
  // A page that has just been opened is still busy with that.
  await new Promise(resolve => {
    let timer;
    const observer = new PerformanceObserver(() => wait());
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => (observer.disconnect(), resolve()), quietMs);
    };
    observer.observe({ type: 'longtask' });
    wait();
  });
  const area = document.querySelector('.react-flow__pane').getBoundingClientRect();
  const at = (x, y) => ({ clientX: x, clientY: y, bubbles: true, cancelable: true, view: window, button: 0 });
  const center = { x: area.left + area.width / 2, y: area.top + area.height / 2 };
  const near = element => {
    const box = element.getBoundingClientRect();
    return Math.hypot(box.left + box.width / 2 - center.x, box.top + box.height / 2 - center.y);
  };
  const node = [...document.querySelectorAll(selector)].sort((one, other) => near(one) - near(other))[0];
  const box = node.getBoundingClientRect();
  const start = { x: box.left + box.width / 2, y: box.top + 12 };
  const pane = document.querySelector('.react-flow__pane');
  const tasks = [];
  const observer = new PerformanceObserver(list => tasks.push(...list.getEntries().map(one => one.duration)));
  observer.observe({ type: 'longtask' });
  const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
  if (gesture === 'drag') node.dispatchEvent(new MouseEvent('mousedown', at(start.x, start.y)));
  const began = performance.now();
  for (let step = 1; step <= frames; step++) {
    const phase = (step / frames) * 2 * Math.PI;
    if (gesture === 'pan') {
      pane.dispatchEvent(new WheelEvent('wheel', { ...at(center.x, center.y), deltaX: 12 * Math.cos(phase), deltaY: 8 * Math.sin(phase) }));
    } else {
      window.dispatchEvent(new MouseEvent('mousemove', at(start.x + 90 * Math.sin(phase), start.y + 60 * Math.sin(phase))));
    }
    await frame();
  }
  const seconds = (performance.now() - began) / 1000;
  if (gesture === 'drag') window.dispatchEvent(new MouseEvent('mouseup', at(start.x, start.y)));
  await frame();
  observer.disconnect();
  return { seconds, longest: Math.max(0, ...tasks) };
}`;

async function metricsOf(session: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** Measures one gesture on a React Flow canvas. */
export async function measureGesture(page: Page, gesture: Gesture): Promise<FrameReport> {
  const session = await page.context().newCDPSession(page);
  // `threadTicks` measures processor time of the main thread instead of elapsed time.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await metricsOf(session);
  const options = { gesture, frames: FRAMES, selector: '.react-flow__node', quietMs: QUIET_MS };
  const { seconds, longest } = (await page.evaluate(`(${SCRIPT})(${JSON.stringify(options)})`)) as {
    seconds: number;
    longest: number;
  };
  const after = await metricsOf(session);
  await session.detach();
  const perFrame = (...names: string[]) =>
    (names.reduce((sum, name) => sum + (after[name] ?? 0) - (before[name] ?? 0), 0) * 1_000) / FRAMES;
  return {
    framesPerSecond: FRAMES / seconds,
    cpuMs: perFrame('TaskDuration'),
    scriptMs: perFrame('ScriptDuration'),
    layoutMs: perFrame('LayoutDuration', 'RecalcStyleDuration'),
    longestTaskMs: longest,
  };
}

export function printFrames(title: string, report: FrameReport): void {
  const { framesPerSecond, cpuMs, scriptMs, layoutMs, longestTaskMs } = report;
  process.stderr.write(
    `${title}: ${framesPerSecond.toFixed(0)} frames/s; per frame ${cpuMs.toFixed(1)} ms of processor time, of it ` +
      `${scriptMs.toFixed(1)} ms script, ${layoutMs.toFixed(1)} ms style and layout; longest task ${longestTaskMs.toFixed(0)} ms\n`,
  );
}
