import { BarChart } from './bar-chart';
import { intervalsOf, labelOf, type TimeRange } from './time-range';

interface RunChartProps {
  height: number;
  items: readonly { start: string; succeeded: number; failed: number; cancelled: number }[];
  range: TimeRange;
}

/** Ended runs by result, stacked. */
export function RunChart({ height, items, range }: RunChartProps) {
  const counts = new Map(items.map(item => [Date.parse(item.start), item]));
  const points = intervalsOf(range).map(start => {
    const { succeeded = 0, failed = 0, cancelled = 0 } = counts.get(start.getTime()) ?? {};
    return { label: labelOf(start, range.interval), values: { succeeded, failed, cancelled } };
  });
  const all = [
    { name: 'succeeded', label: 'Succeeded', color: 'teal.6' },
    { name: 'failed', label: 'Failed', color: 'red.6' },
    { name: 'cancelled', label: 'Cancelled', color: 'gray.5' },
  ] as const;
  // A result that no run had is left out of the legend too.
  const series = all.filter(({ name }) => points.some(({ values }) => values[name] > 0));
  return <BarChart label="Ended runs over time by result" height={height} points={points} series={series} isInteger />;
}
