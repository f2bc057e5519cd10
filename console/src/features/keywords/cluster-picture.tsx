import { Paper, Text } from '@mantine/core';
import { Fragment } from 'react';
import { colorOf, Legend } from '@/shared/charts/bar-chart';
import { countOf } from '@/shared/lists/count';
import type { KeywordRunView } from './keyword-run-screen';

/** Only the largest clusters are drawn. */
const MAX_BARS = 30;
/** Leaves room for the number next to the longest bar. */
const MAX_WIDTH_PERCENT = 90;
const SERIES = [
  { name: 'enabled', label: 'Enabled', color: 'brand.6' },
  { name: 'disabled', label: 'Disabled', color: 'gray.5' },
] as const;

/** The size of each cluster, with its enabled and its disabled keywords. */
export function ClusterPicture({ clusters }: { clusters: KeywordRunView['clusters'] }) {
  const rows = clusters
    .toSorted((a, b) => b.keywords.length - a.keywords.length)
    .slice(0, MAX_BARS)
    .map(({ id, name, keywords }) => {
      const enabled = keywords.filter(({ isEnabled }) => isEnabled).length;
      return { id, name, size: keywords.length, enabled, disabled: keywords.length - enabled };
    });
  const largest = rows[0];
  if (largest === undefined) return null;
  const series = SERIES.filter(({ name }) => rows.some(row => row[name] > 0));
  return (
    <Paper p="lg" component="figure" m={0}>
      <dl className="bar-rows">
        {rows.map(row => (
          <Fragment key={row.id}>
            <dt title={row.name}>{row.name}</dt>
            <dd>
              {series.map(({ name, color }) => (
                <i
                  key={name}
                  style={{
                    width: `${(row[name] / Math.max(1, largest.size)) * MAX_WIDTH_PERCENT}%`,
                    background: colorOf(color),
                  }}
                />
              ))}
              <span>{row.size}</span>
            </dd>
          </Fragment>
        ))}
      </dl>
      <Legend series={series} />
      <Text component="figcaption" fz="sm" c="dimmed" mt="sm">
        {`${countOf(clusters.length, 'cluster')}. The largest is “${largest.name}” with ${countOf(largest.size, 'keyword')}.`}
        {clusters.length > MAX_BARS && ` The ${MAX_BARS} largest are shown.`}
      </Text>
    </Paper>
  );
}
