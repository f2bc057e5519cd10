import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { reportFigure } from './figures.js';

/** Waits until the open events of a run show its success. Each event must be shown once, newest first. */
export async function expectAllEvents(page: Page): Promise<void> {
  const events = page.getByRole('region', { name: 'Events' });
  await events.getByText('Run succeeded').waitFor();
  const shown = (await events.locator('li small').allTextContents()).map(Number);
  const [last = 0] = shown;
  const expected = Array.from({ length: last }, (_, index) => last - index);
  const missing = expected.filter(one => !shown.includes(one)).length;
  reportFigure('lost-events', missing + shown.length - new Set(shown).size);
  expect(shown).toEqual(expected);
  await page.getByRole('region', { name: 'Result' }).getByText('The refund of 24.90 is paid.').waitFor();
}
