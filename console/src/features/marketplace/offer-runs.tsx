import { Checkbox, Radio, Text } from '@mantine/core';
import { useAction } from '@/shared/forms/use-action';
import { Section } from '@/shared/layout/section';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { Money } from '@/shared/money';
import { StatusBadge } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import { MarkExampleDocument, MarkTemplateDocument } from './marketplace.generated';
import type { Offer } from './offer-screen';

type Run = Offer['runs']['items'][number];

/** Selects the template run, whose graph copies of the workflow receive, and the runs that are shown as examples. */
export function OfferRuns({ workflow: { id: workflowId, runs } }: { workflow: Offer }) {
  const template = useAction(MarkTemplateDocument, { failure: 'Not marked', refetchQueries: ['WorkflowOffer'] });
  const example = useAction(MarkExampleDocument, { failure: 'Not marked', refetchQueries: ['WorkflowOffer'] });
  const columns: Column<Run>[] = [
    { id: 'at', header: 'Run', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { id: 'state', header: 'State', cell: ({ state }) => <StatusBadge state={state} /> },
    { id: 'cost', header: 'Cost', align: 'end', isWide: true, cell: ({ cost }) => <Money usd={cost.usd} /> },
    {
      id: 'template',
      header: 'Template',
      width: '6rem',
      cell: run => (
        <Radio
          aria-label="Use as the template"
          checked={run.useAsMarketplaceTemplate}
          disabled={run.state !== 'SUCCEEDED' || template.isBusy}
          onChange={() => void template.run({ workflowId, id: run.id, isMarked: true })}
        />
      ),
    },
    {
      id: 'example',
      header: 'Example',
      width: '6rem',
      cell: run => (
        <Checkbox
          aria-label="Show as an example"
          checked={run.useInMarketplaceExample}
          disabled={example.isBusy}
          onChange={event => void example.run({ workflowId, id: run.id, isMarked: event.currentTarget.checked })}
        />
      ),
    },
  ];
  return (
    <Section
      isPlain
      title="Runs"
      description="Copies receive the graph of the template. The inputs of examples and the results of all their nodes are public."
    >
      <DataTable
        label="Runs of the workflow"
        columns={columns}
        rows={runs.items}
        keyOf={({ id }) => id}
        empty={
          <Text fz="sm" c="dimmed">
            Run the workflow once: a succeeded run becomes the template.
          </Text>
        }
      />
    </Section>
  );
}
