import { describe, expect, it } from '@jest/globals';
import { DeliveryLanes } from '../../../src/modules/webhooks/deliveries/delivery-lanes.js';

/** Claims once for these projects, which all have a long backlog. */
function claim(lanes: DeliveryLanes, projects: Iterable<number>): Map<number, number> {
  const limits = lanes.claimLimits(new Set(projects));
  for (const [projectId, limit] of limits) for (let one = 0; one < limit; one++) lanes.begin(projectId);
  return limits;
}

const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

describe('the lanes of deliveries', () => {
  it('grow for a receiver that answers, to at most 64', () => {
    const lanes = new DeliveryLanes();
    const rounds: number[] = [];
    for (let repetition = 0; repetition < 8; repetition++) {
      const limit = claim(lanes, [1]).get(1)!;
      rounds.push(limit);
      for (let one = 0; one < limit; one++) lanes.end(1, true, 200);
    }
    expect(rounds).toEqual([4, 8, 16, 32, 64, 64, 64, 64]);
    expect(lanes.busy).toBe(0);
  });

  it('shrink for a receiver that fails, and do not grow for a slow one', () => {
    const lanes = new DeliveryLanes();
    for (let repetition = 0; repetition < 5; repetition++)
      for (const _ of many(0, claim(lanes, [1]).get(1)!)) lanes.end(1, true, 10);
    for (const _ of many(0, claim(lanes, [1]).get(1)!)) lanes.end(1, false, 15_000);
    expect(claim(lanes, [1]).get(1)).toBe(4);
    for (let repetition = 0; repetition < 4; repetition++) lanes.end(1, true, 10_000);
    expect(claim(lanes, [1]).get(1)).toBe(4);
  });

  it('of many projects with dead receivers leave some for another project', () => {
    const lanes = new DeliveryLanes();
    for (let repetition = 0; repetition < 10; repetition++) claim(lanes, many(1, 60));
    expect(lanes.busy).toBe(240);
    expect(claim(lanes, [...many(1, 60), 1_000]).get(1_000)).toBe(4);
  });

  it('that were earned never use up the last ones', () => {
    const lanes = new DeliveryLanes();
    const projectsWithCredit = many(1, 10);
    for (let repetition = 0; repetition < 6; repetition++)
      for (const [projectId, limit] of claim(lanes, projectsWithCredit))
        for (const _ of many(0, limit)) lanes.end(projectId, true, 10);
    for (let repetition = 0; repetition < 20; repetition++) claim(lanes, projectsWithCredit);
    expect(lanes.busy).toBeLessThanOrEqual(256 + projectsWithCredit.length * 4);
    expect(claim(lanes, many(100, 10)).size).toBe(10);
  });

  it('have a total limit, and are given to one project after the other', () => {
    const lanes = new DeliveryLanes();
    const limits = claim(lanes, many(1, 500));
    expect(lanes.busy).toBeLessThanOrEqual(320);
    expect(limits.size).toBeGreaterThanOrEqual(80);
    for (let repetition = 0; repetition < 10; repetition++) claim(lanes, many(1, 500));
    expect(lanes.busy).toBe(320);
    expect(claim(lanes, [1_000]).size).toBe(0);
  });
});
