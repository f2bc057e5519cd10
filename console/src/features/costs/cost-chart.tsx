import { BarChart, type BarPoint, type BarSeries } from '@/shared/charts/bar-chart';
import { formatUsd } from '@/shared/money';

interface CostChartProps {
  height: number;
  points: readonly BarPoint[];
  series: readonly BarSeries[];
}

export function CostChart(props: CostChartProps) {
  return (
    <BarChart
      {...props}
      label="Costs over time. The table below has the numbers."
      format={value => formatUsd(String(value))}
    />
  );
}
