/**
 * B-cubed F1 of groups against given ones (A. Bagga, B. Baldwin, 1998). Precision: for each item, the share of its
 * group that belongs with it; recall: the share of what belongs with it that is in its group. Both are averaged over
 * the items; the result is their harmonic mean. 1: the same groups.
 */
export function bcubed(groups: readonly (readonly string[])[], given: readonly (readonly string[])[]): number {
  const placeOf = (in_: readonly (readonly string[])[]) =>
    new Map(in_.flatMap((items, at) => items.map(item => [item, at] as const)));
  const [made, right] = [placeOf(groups), placeOf(given)];
  const items = given.flat();
  let precision = 0;
  let recall = 0;
  for (const item of items) {
    const together = items.filter(other => made.get(other) === made.get(item));
    const belonging = items.filter(other => right.get(other) === right.get(item));
    const both = together.filter(other => right.get(other) === right.get(item)).length;
    precision += both / together.length / items.length;
    recall += both / belonging.length / items.length;
  }
  return (2 * precision * recall) / (precision + recall);
}
