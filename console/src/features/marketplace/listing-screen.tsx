import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Grid, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useSession } from '@/session/session';
import { JsonView } from '@/shared/json/json-view';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { TabBar } from '@/shared/layout/tab-bar';
import { Money } from '@/shared/money';
import { SafeMarkdown } from '@/shared/safe-markdown';
import { RelativeTime } from '@/shared/time';
import { CopyAction } from './copy-action';
import { ListingDocument, type ListingQuery } from './marketplace.generated';
import { feeText, priceText } from './price';

/** A workflow that is published on the marketplace. */
export type Listing = NonNullable<ListingQuery['marketplaceWorkflow']>;
/** The page has one tab for each example. */
const MAX_EXAMPLES = 10;

type Example = ListingQuery['marketplaceExamples'][number];

/** One published workflow: its read-me, its price, and the runs that its author shows as examples. */
export function ListingScreen() {
  const { slug = '' } = useParams({ strict: false }) as { slug?: string };
  const isSignedIn = useSession().status === 'signed-in';
  const query = useQuery(ListingDocument, { variables: { slug } });
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
            actions={isSignedIn ? <CopyAction listing={listing} /> : <SignInButton slug={slug} />}
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
        </>
      )}
    </QueryView>
  );
}

function SignInButton({ slug }: { slug: string }) {
  return (
    <Button renderRoot={props => <Link {...props} to="/sign-in" search={{ next: `/marketplace/${slug}` }} />}>
      Sign in to copy
    </Button>
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
      <TabBar mb="sm">
        {shown.map(({ id }, index) => (
          <Tabs.Tab key={id} value={id}>
            Example {index + 1}
          </Tabs.Tab>
        ))}
      </TabBar>
      {shown.map(({ id, inputData, result, cost, createdAt }) => (
        <Tabs.Panel key={id} value={id}>
          <Stack gap="xs">
            <Text fz="sm" fw={500}>
              Input
            </Text>
            <JsonView value={inputData} label="input" />
            <Text fz="sm" fw={500}>
              Output
            </Text>
            <Output result={result as ExampleResult | null} />
            <Text fz="xs" c="dimmed">
              <RelativeTime at={createdAt} /> · <Money usd={cost.usd} />
            </Text>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The result of a run, with the contents of all its nodes. `output` is missing if the run reached no output node. */
interface ExampleResult {
  output?: unknown;
}

function Output({ result }: { result: ExampleResult | null }) {
  const output = result?.output ?? null;
  if (output !== null) return <JsonView value={output} label="output" />;
  return (
    <Text fz="sm" c="dimmed">
      {result === null ? 'The result is too long to be shown here.' : 'The run has no output.'}
    </Text>
  );
}
