import { Tooltip } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import './bar-chart.css';
import { ticksTo } from './scale';

/** A label of the horizontal axis needs this many pixels. */
const LABEL_WIDTH = 64;

export interface BarSeries {
  /** The member of the points. */
  name: string;
  label: string;
  /** A color of the theme: `brand.5`. */
  color: string;
}

export interface BarPoint {
  label: string;
  values: Record<string, number>;
}

export interface BarChartProps {
  /** The name of the chart for screen readers, which skip its parts. A table next to it has the numbers. */
  label: string;
  /** In pixels, without the legend. */
  height: number;
  points: readonly BarPoint[];
  series: readonly BarSeries[];
  /** For counts: the axis has no fractions. */
  isInteger?: boolean;
  format?: (value: number) => string;
}

/** A color of the theme, such as `brand.5`, as a CSS value. */
export const colorOf = (color: string) => `var(--mantine-color-${color.replace('.', '-')})`;

/** Stacked columns over time. */
export function BarChart({
  label,
  height,
  points,
  series,
  isInteger,
  format = value => value.toLocaleString('en'),
}: BarChartProps) {
  const { ref, width } = useElementSize();
  const [hovered, setHovered] = useState<BarPoint>();
  const ticks = ticksTo(Math.max(0, ...points.map(totalOf)), isInteger);
  const top = ticks.at(-1) ?? 1;
  // Every n-th column has a label, so that labels do not overlap.
  const labelStep = Math.max(1, Math.ceil((points.length * LABEL_WIDTH) / Math.max(width, LABEL_WIDTH)));
  return (
    <div role="img" aria-label={label}>
      <div className="bar-chart" style={{ height }} aria-hidden>
        <div className="bar-chart-axis">
          {ticks.map(tick => (
            <span key={tick} style={{ bottom: `${(tick / top) * 100}%` }}>
              {format(tick)}
            </span>
          ))}
          <span className="bar-chart-widest">
            {ticks.map(format).reduce((a, b) => (b.length > a.length ? b : a), '')}
          </span>
        </div>
        <Tooltip.Floating
          label={hovered && <PointValues point={hovered} series={series} format={format} />}
          disabled={hovered === undefined}
          className="bar-chart-tooltip"
        >
          <div className="bar-chart-plot" ref={ref} onPointerLeave={() => setHovered(undefined)}>
            {ticks.map(tick => (
              <div key={tick} className="bar-chart-line" style={{ bottom: `${(tick / top) * 100}%` }} />
            ))}
            {points.map((point, index) => (
              <div
                key={point.label + String(index)}
                className="bar-chart-column"
                onPointerEnter={() => setHovered(point)}
              >
                <div className="bar-chart-stack">
                  {series.map(({ name, color }) => (
                    <div
                      key={name}
                      style={{ height: `${((point.values[name] ?? 0) / top) * 100}%`, background: colorOf(color) }}
                    />
                  ))}
                </div>
                {index % labelStep === 0 && <span className="bar-chart-label">{point.label}</span>}
              </div>
            ))}
          </div>
        </Tooltip.Floating>
      </div>
      <Legend series={series} />
    </div>
  );
}

const totalOf = ({ values }: BarPoint) => Object.values(values).reduce((sum, value) => sum + value, 0);

/** The colors of the series. */
export function Legend({ series }: { series: readonly BarSeries[] }) {
  return (
    <div className="bar-chart-legend" aria-hidden>
      {series.map(({ name, label, color }) => (
        <span key={name}>
          <i style={{ background: colorOf(color) }} />
          {label}
        </span>
      ))}
    </div>
  );
}

interface PointValuesProps {
  point: BarPoint;
  series: readonly BarSeries[];
  format: (value: number) => string;
}

/** The content of the tooltip of a column. */
function PointValues({ point, series, format }: PointValuesProps) {
  const shown = series.filter(({ name }) => point.values[name]).toReversed();
  return (
    <>
      <b>{point.label}</b>
      {shown.map(({ name, label, color }) => (
        <div key={name} className="bar-chart-value">
          <i style={{ background: colorOf(color) }} />
          <span>{label}</span>
          <span className="tabular">{format(point.values[name] ?? 0)}</span>
        </div>
      ))}
      {shown.length !== 1 && (
        <div className="bar-chart-value">
          <span>Total</span>
          <span className="tabular">{format(totalOf(point))}</span>
        </div>
      )}
    </>
  );
}
