import { describe, expect, it } from '@jest/globals';
import { DeliveryLanes } from '../../../src/modules/webhooks/deliveries/delivery-lanes.js';

/** Claims once for these projects, which have more than enough to send. */
function claim(lanes: DeliveryLanes, projects: Iterable<number>): Map<number, number> {
  const rooms = lanes.claimLimits(new Set(projects));
  for (const [projectId, room] of rooms) for (let one = 0; one < room; one++) lanes.begin(projectId);
  return rooms;
}

const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

describe('the lanes of deliveries', () => {
  it('grow for a receiver that answers, and are no more than 64', () => {
    const lanes = new DeliveryLanes();
    const rounds: number[] = [];
    for (let round = 0; round < 8; round++) {
      const room = claim(lanes, [1]).get(1)!;
      rounds.push(room);
      for (let one = 0; one < room; one++) lanes.end(1, true, 200);
    }
    expect(rounds).toEqual([4, 8, 16, 32, 64, 64, 64, 64]);
    expect(lanes.busy).toBe(0);
  });

  it('shrink for a receiver that fails, and do not grow for a slow one', () => {
    const lanes = new DeliveryLanes();
    for (let round = 0; round < 5; round++) for (const _ of many(0, claim(lanes, [1]).get(1)!)) lanes.end(1, true, 10);
    for (const _ of many(0, claim(lanes, [1]).get(1)!)) lanes.end(1, false, 15_000);
    expect(claim(lanes, [1]).get(1)).toBe(4);
    for (let round = 0; round < 4; round++) lanes.end(1, true, 10_000);
    expect(claim(lanes, [1]).get(1)).toBe(4);
  });

  it('of many projects with dead receivers leave room for another one', () => {
    const lanes = new DeliveryLanes();
    for (let round = 0; round < 10; round++) claim(lanes, many(1, 60));
    expect(lanes.busy).toBe(240);
    expect(claim(lanes, [...many(1, 60), 1_000]).get(1_000)).toBe(4);
  });

  it('that were earned are never the last ones', () => {
    const lanes = new DeliveryLanes();
    const earners = many(1, 10);
    for (let round = 0; round < 6; round++)
      for (const [projectId, room] of claim(lanes, earners))
        for (const _ of many(0, room)) lanes.end(projectId, true, 10);
    for (let round = 0; round < 20; round++) claim(lanes, earners);
    expect(lanes.busy).toBeLessThanOrEqual(256 + earners.length * 4);
    expect(claim(lanes, many(100, 10)).size).toBe(10);
  });

  it('are bounded in all, and given to one project after the other', () => {
    const lanes = new DeliveryLanes();
    const rooms = claim(lanes, many(1, 500));
    expect(lanes.busy).toBeLessThanOrEqual(320);
    expect(rooms.size).toBeGreaterThanOrEqual(80);
    for (let round = 0; round < 10; round++) claim(lanes, many(1, 500));
    expect(lanes.busy).toBe(320);
    expect(claim(lanes, [1_000]).size).toBe(0);
  });
});
