/**
 * Values of the grid lines of an axis from 0 to at least `largest`: 3 to 6 round numbers, the first is 0.
 * With `isInteger` no step is smaller than 1.
 */
export function ticksTo(largest: number, isInteger = false): number[] {
  if (!(largest > 0)) return [0, 1];
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find(one => one * power >= rough * 0.999) ?? 10;
  const step = isInteger ? Math.max(1, Math.ceil(factor * power)) : factor * power;
  const count = Math.max(1, Math.ceil((largest / step) * 0.999));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}
