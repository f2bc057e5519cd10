/** Rounding errors of the divisions must not select a larger step or add a line. */
const TOLERANCE = 0.999;

/**
 * Values of the grid lines of an axis from 0 to at least `largest`: about 5 round numbers, the first is 0.
 * With `isInteger` all of them are integers.
 */
export function ticksTo(largest: number, isInteger = false): number[] {
  if (!(largest > 0)) return [0, 1];
  const idealStep = largest / 4;
  const power = 10 ** Math.floor(Math.log10(idealStep));
  const factor = [1, 2, 2.5, 5, 10].find(one => one * power >= idealStep * TOLERANCE) ?? 10;
  const step = isInteger ? Math.max(1, Math.ceil(factor * power)) : factor * power;
  const count = Math.max(1, Math.ceil((largest / step) * TOLERANCE));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}
