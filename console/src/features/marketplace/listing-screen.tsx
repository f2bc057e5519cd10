import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Grid, Group, Paper, Select, Stack, Tabs, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { IconCopyPlus } from '@/icons';
import { useSession } from '@/session/session';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { JsonView } from '@/shared/json/json-view';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { MAX_OPTIONS } from '@/shared/lists/whole-list';
import { Money } from '@/shared/money';
import { useProjectChoices } from '@/shared/project/use-choices';
import { lastProjectId } from '@/shared/project/use-project';
import { SafeMarkdown } from '@/shared/safe-markdown';
import { RelativeTime } from '@/shared/time';
import { CopyListingDocument, ListingDocument, type ListingQuery } from './marketplace.generated';
import { feeText, priceText } from './price';

type Listing = NonNullable<ListingQuery['marketplaceWorkflow']>;
/** The page has one tab for each example. */
const MAX_EXAMPLES = 10;

type Example = ListingQuery['marketplaceExamples'][number];

/** One published workflow: its read-me, its price, and the runs that its author shows as examples. */
export function ListingScreen() {
  const { slug = '' } = useParams({ strict: false }) as { slug?: string };
  const isSignedIn = useSession().status === 'signed-in';
  const [isCopying, dialog] = useDisclosure(false);
  const query = useQuery(ListingDocument, { variables: { slug } });
  const copy = isSignedIn ? (
    <Button leftSection={<IconCopyPlus size={16} />} onClick={dialog.open}>
      Copy to a project
    </Button>
  ) : (
    <Button renderRoot={props => <Link {...props} to="/sign-in" search={{ next: `/marketplace/${slug}` }} />}>
      Sign in to copy
    </Button>
  );
  return (
    <QueryView query={query}>
      {({ marketplaceWorkflow: listing, marketplaceExamples: examples }) => (
        <>
          <PageHeader
            title={listing.marketTitle}
            description={listing.shortDescription}
            trail={[
              {
                label: 'marketplace',
                link: (
                  <Anchor c="dimmed" renderRoot={props => <Link {...props} to="/marketplace" />}>
                    Marketplace
                  </Anchor>
                ),
              },
            ]}
            badges={listing.category && <Badge variant="light">{listing.category.name}</Badge>}
            actions={copy}
          />
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Paper p="lg">
                {listing.readmeGuide === '' ? (
                  <Text c="dimmed" fz="sm">
                    The author wrote no read-me.
                  </Text>
                ) : (
                  <SafeMarkdown text={listing.readmeGuide} />
                )}
              </Paper>
              <Title order={2} mt="xl" mb="sm">
                Examples
              </Title>
              <Examples examples={examples} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Facts listing={listing} />
            </Grid.Col>
          </Grid>
          {isCopying && <CopyDialog listing={listing} onClose={dialog.close} />}
        </>
      )}
    </QueryView>
  );
}

function Facts({ listing }: { listing: Listing }) {
  const facts = [
    ['Price', priceText(listing)],
    ['Fee of the author', feeText(listing)],
    ['Languages', listing.availableLanguages.join(', ') || '–'],
    ['Runs', listing.totalRunsCount.toLocaleString('en')],
    ['Users', listing.totalUsersCount.toLocaleString('en')],
  ];
  return (
    <Paper p="lg" component="aside" aria-label="Facts">
      <Stack gap="sm">
        {facts.map(([label, value]) => (
          <Group key={label} justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
            <Text fz="sm" c="dimmed">
              {label}
            </Text>
            <Text fz="sm" ta="end">
              {value}
            </Text>
          </Group>
        ))}
        <Group justify="space-between">
          <Text fz="sm" c="dimmed">
            Published
          </Text>
          <Text fz="sm">
            <RelativeTime at={listing.publishedAt} />
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}

function Examples({ examples }: { examples: readonly Example[] }) {
  const shown = examples.slice(0, MAX_EXAMPLES);
  if (shown.length === 0)
    return (
      <Text c="dimmed" fz="sm">
        The author shows no runs.
      </Text>
    );
  return (
    <Tabs defaultValue={shown[0]?.id} keepMounted={false}>
      <Tabs.List mb="sm">
        {shown.map(({ id }, index) => (
          <Tabs.Tab key={id} value={id}>
            Example {index + 1}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map(({ id, inputData, result, cost, createdAt }) => (
        <Tabs.Panel key={id} value={id}>
          <Stack gap="xs">
            <Text fz="sm" fw={500}>
              Input
            </Text>
            <JsonView value={inputData} label="input" />
            <Text fz="sm" fw={500}>
              Result
            </Text>
            <JsonView value={result} label="result" />
            <Text fz="xs" c="dimmed">
              <RelativeTime at={createdAt} /> · <Money usd={cost.usd} />
            </Text>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function CopyDialog({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const navigate = useNavigate();
  const projects = useProjectChoices().filter(({ canEdit }) => canEdit);
  const form = useForm({ initialValues: { projectId: lastProjectId() === null ? '' : String(lastProjectId()) } });
  const { submit, isBusy, problem } = useFormMutation(CopyListingDocument, {
    form,
    onDone: async ({ workflowCopyFromMarketplace }) => {
      const copy = workflowCopyFromMarketplace?.workflow;
      if (!copy) return;
      await navigate({
        to: '/projects/$projectId/workflows/$workflowId/marketplace',
        params: { projectId: String(copy.projectId), workflowId: String(copy.id) },
      });
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Copy “${listing.marketTitle}”`}
      submitLabel="Copy workflow"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(({ projectId }) => submit({ slug: listing.slug, projectId: Number(projectId) }))}
    >
      <Text fz="sm" c="dimmed">
        The copy runs in your project and on its budget. Terms: {feeText(listing).toLowerCase()}. Keys and documents of
        the author are not copied.
      </Text>
      <Select
        label="Project"
        required
        searchable
        limit={MAX_OPTIONS}
        allowDeselect={false}
        data-autofocus
        data={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('projectId')}
      />
    </FormDialog>
  );
}
