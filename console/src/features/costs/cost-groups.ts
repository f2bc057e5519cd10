import type { BarPoint, BarSeries } from '@/shared/charts/bar-chart';
import { intervalsOf, labelOf, type TimeRange } from '@/shared/charts/time-range';
import type { CostGroup, CostItemFragment } from './costs.generated';
import type { CostNames } from './use-cost-names';

/** The properties by which costs are grouped: their names in the address, on the screen and in the API. */
export const GROUPS = [
  { value: 'model', label: 'Model', group: 'MODEL' },
  { value: 'workflow', label: 'Workflow', group: 'WORKFLOW' },
  { value: 'key', label: 'API key', group: 'API_KEY' },
  { value: 'person', label: 'Person', group: 'USER' },
] as const satisfies readonly { value: string; label: string; group: CostGroup }[];

export type GroupName = (typeof GROUPS)[number]['value'];

/** Maximum number of series of a chart. The costs of all other groups are added to the series "Other". */
const MAX_SERIES = 6;
/** Adjacent colours differ in lightness, so that they can be distinguished without hue. */
const COLORS = ['brand.5', 'teal.5', 'orange.5', 'blue.4', 'pink.5', 'lime.6'];

export interface CostRow {
  name: string;
  /** US dollars, to sort and add. `usd` is the exact amount. */
  cost: number;
  usd: string;
  /** The part of the total costs, from 0 to 1. */
  share: number;
  transactions: number;
  promptTokens: number;
  completionTokens: number;
  /** The workflow that the row links to. Null: no link. */
  workflowId: number | null;
}

function nameOf(item: CostItemFragment, group: GroupName, names: CostNames): string {
  if (group === 'model') return item.model ?? 'Without a model';
  if (group === 'workflow') {
    if (item.workflowId === null) return 'Chat, scenarios, drafts';
    return names.workflows.find(({ id }) => id === item.workflowId)?.title ?? `Workflow ${item.workflowId}`;
  }
  if (group === 'key') {
    if (item.apiKeyId === null) return 'Without an API key';
    return names.apiKeys.find(({ id }) => id === item.apiKeyId)?.name ?? `Key ${item.apiKeyId}`;
  }
  return item.userId === null ? 'Deleted users' : userName(item.userId, names);
}

export function userName(id: number, names: CostNames): string {
  const member = names.members.find(({ userId }) => userId === id);
  return member ? member.name || member.email : `User ${id}`;
}

/** Returns the groups of a time range by cost, highest first. Two groups with the same name stay two rows. */
export function rowsOf(items: readonly CostItemFragment[], group: GroupName, names: CostNames): CostRow[] {
  const total = items.reduce((sum, { cost }) => sum + Number(cost.usd), 0);
  return items
    .map(item => ({
      name: nameOf(item, group, names),
      cost: Number(item.cost.usd),
      usd: item.cost.usd,
      share: total === 0 ? 0 : Number(item.cost.usd) / total,
      transactions: item.transactions,
      promptTokens: item.promptTokens,
      completionTokens: item.completionTokens,
      workflowId: item.workflowId ?? null,
    }))
    .sort((one, other) => other.cost - one.cost || other.transactions - one.transactions);
}

/** Returns one point per interval, with a value per series. Groups with the same name are one series. */
export function chartOf(
  items: readonly CostItemFragment[],
  rows: readonly CostRow[],
  { group, names, range }: { group: GroupName; names: CostNames; range: TimeRange },
): { points: BarPoint[]; series: BarSeries[] } {
  const shown = [...new Set(rows.filter(({ cost }) => cost > 0).map(({ name }) => name))];
  const top = shown.slice(0, MAX_SERIES);
  const hasOthers = shown.length > top.length;
  const series = top.map((label, index) => ({ name: `s${index}`, label, color: COLORS[index] ?? 'gray.5' }));
  if (hasOthers) series.push({ name: 'other', label: 'Other', color: 'gray.5' });
  const points = new Map(
    intervalsOf(range).map(start => [
      start.getTime(),
      { label: labelOf(start, range.interval), values: {} } as BarPoint,
    ]),
  );
  for (const item of items) {
    const values = item.start ? points.get(Date.parse(item.start))?.values : undefined;
    if (!values) continue;
    const name = nameOf(item, group, names);
    const index = top.indexOf(name);
    const key = index < 0 ? 'other' : `s${index}`;
    values[key] = (values[key] ?? 0) + Number(item.cost.usd);
  }
  return { points: [...points.values()], series };
}
