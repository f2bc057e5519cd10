/** Returns `name`, or `stem` with the first suffix from `_2` on that makes it unused. */
export function numberedName(name: string, isUsed: (name: string) => boolean, stem = name): string {
  let free = name;
  for (let count = 2; isUsed(free); count++) free = `${stem}_${count}`;
  return free;
}
