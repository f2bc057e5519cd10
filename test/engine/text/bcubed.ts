/**
 * Returns the B-cubed F1 of groups, compared with labelled groups (A. Bagga, B. Baldwin, 1998). Precision is the share of the
 * group of an item that has the same label; recall is the share of the items with the same label that are in its group. Both
 * are averaged over the items, and the result is their harmonic mean. 1: the groups are equal.
 */
export function bcubed(groups: readonly (readonly string[])[], labelled: readonly (readonly string[])[]): number {
  const indexByItem = (sets: readonly (readonly string[])[]) =>
    new Map(sets.flatMap((items, at) => items.map(item => [item, at] as const)));
  const [groupOf, labelOf] = [indexByItem(groups), indexByItem(labelled)];
  const items = labelled.flat();
  let precision = 0;
  let recall = 0;
  for (const item of items) {
    const sameGroup = items.filter(other => groupOf.get(other) === groupOf.get(item));
    const sameLabel = items.filter(other => labelOf.get(other) === labelOf.get(item));
    const both = sameGroup.filter(other => labelOf.get(other) === labelOf.get(item)).length;
    precision += both / sameGroup.length / items.length;
    recall += both / sameLabel.length / items.length;
  }
  return (2 * precision * recall) / (precision + recall);
}
