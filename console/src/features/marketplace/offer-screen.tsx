import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Badge, Button, Group, List, Stack, Text, ThemeIcon } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { IconAlertTriangle, IconCheck } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { Section } from '@/shared/layout/section';
import { countOf } from '@/shared/lists/count';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';
import { labelOfState } from '@/shared/status-badge';
import {
  AcceptTermsDocument,
  type OfferWorkflowFragment,
  PublishOfferDocument,
  UnpublishOfferDocument,
  WorkflowOfferDocument,
  type WorkflowOfferQuery,
} from './marketplace.generated';
import { OfferForm } from './offer-form';
import { OfferRuns } from './offer-runs';
import { feeText } from './price';

/** A workflow with its listing on the marketplace. */
export type Offer = NonNullable<WorkflowOfferQuery['workflow']>;

/**
 * The marketplace page of a workflow: the values that it lacks and the services that it calls. For a copy also the terms of its author;
 * for another workflow the steps to publish it.
 */
export function OfferScreen() {
  const { workflowId } = useParams({ strict: false }) as { workflowId?: string };
  const query = useQuery(WorkflowOfferDocument, { variables: { id: Number(workflowId) } });
  const { isEditor, isAdmin } = useProjectRole();
  return (
    <QueryView query={query}>
      {({ workflow }) => (
        <>
          <PageHeader
            title={workflow.title}
            trail={[{ label: 'workflow', link: <EditorLink id={workflow.id}>Workflow</EditorLink> }]}
            badges={workflow.isPublished && <Badge variant="light">Published</Badge>}
            actions={
              <>
                {workflow.slug !== null && workflow.isPublished && (
                  <Button
                    variant="default"
                    renderRoot={props => (
                      <Link {...props} to="/marketplace/$slug" params={{ slug: workflow.slug ?? '' }} />
                    )}
                  >
                    Show on the marketplace
                  </Button>
                )}
                {isEditor && <RunButton id={workflow.id} />}
              </>
            }
          />
          <Stack gap="lg" maw={820}>
            <Checklist workflow={workflow} />
            {workflow.terms && <Terms workflow={workflow} />}
            {workflow.copiedFromId === null && isAdmin && (
              <>
                <OfferForm key={workflow.id} workflow={workflow} />
                <OfferRuns workflow={workflow} />
                <Publication workflow={workflow} />
              </>
            )}
          </Stack>
        </>
      )}
    </QueryView>
  );
}

function EditorLink({ id, children }: { id: number; children: string }) {
  const params = { projectId: String(useProjectId()), workflowId: String(id) };
  return (
    <Anchor
      c="inherit"
      renderRoot={props => <Link {...props} to="/projects/$projectId/workflows/$workflowId" params={params} />}
    >
      {children}
    </Anchor>
  );
}

function RunButton({ id }: { id: number }) {
  const params = { projectId: String(useProjectId()), workflowId: String(id) };
  return (
    <Button
      renderRoot={props => <Link {...props} to="/projects/$projectId/workflows/$workflowId/run" params={params} />}
    >
      Run
    </Button>
  );
}

function Checklist({ workflow: { id, gaps, reach } }: { workflow: OfferWorkflowFragment }) {
  // Several nodes may call the same service.
  const calls = [...new Map(reach.map(one => [`${one.kind} ${one.value}`, one])).values()];
  return (
    <Section title="What it needs and calls">
      <Stack gap="sm">
        {gaps.length === 0 ? (
          <Group gap="xs">
            <ThemeIcon size={20} radius="xl" color="green" variant="light">
              <IconCheck size={13} />
            </ThemeIcon>
            <Text fz="sm">Nothing is missing. It can run.</Text>
          </Group>
        ) : (
          <>
            <Alert color="orange" p="sm" icon={<IconAlertTriangle size={18} />}>
              {gaps.length === 1 ? 'One value must' : `${countOf(gaps.length, 'value')} must`} be filled in before it
              runs. Open the <EditorLink id={id}>editor</EditorLink>.
            </Alert>
            <List fz="sm" spacing={4} aria-label="Missing values">
              {gaps.map(({ kind, nodeId, path, variable }) => (
                <List.Item key={`${nodeId} ${path} ${variable ?? ''}`}>
                  {labelOfState(kind)}: <code>{variable ?? path}</code>
                </List.Item>
              ))}
            </List>
          </>
        )}
        {calls.length > 0 && (
          <Group gap={6} aria-label="Calls" role="list">
            {calls.map(({ kind, value }) => (
              <Badge key={`${kind} ${value}`} role="listitem" variant="default" tt="none" fw={500} maw="100%">
                {labelOfState(kind)}: {value}
              </Badge>
            ))}
          </Group>
        )}
      </Stack>
    </Section>
  );
}

function Terms({ workflow: { id, terms, freeRunsLeft } }: { workflow: OfferWorkflowFragment }) {
  const { isAdmin } = useProjectRole();
  const accept = useAction(AcceptTermsDocument, {
    failure: 'Not accepted',
    success: 'The new terms apply from now on.',
  });
  if (!terms) return null;
  const textOf = ({ runFee, freeRunsPerUser }: { runFee: number; freeRunsPerUser: number }) =>
    feeText({ runFee: String(runFee), freeRunsPerUser });
  const { offered } = terms;
  const isNew = offered && textOf(offered) !== textOf(terms);
  return (
    <Section title="Terms" description="Part of the costs of models goes to the author.">
      <Text fz="sm">
        {textOf(terms)}
        {freeRunsLeft !== null && Number(terms.runFee) > 0 && `, ${freeRunsLeft} free runs left for you`}
      </Text>
      {isNew && (
        <Alert mt="sm" p="sm">
          <Group justify="space-between">
            <Text fz="sm">The author offers: {textOf(offered)}.</Text>
            {isAdmin ? (
              <Button size="xs" loading={accept.isBusy} onClick={() => void accept.run({ id, ...inputOf(offered) })}>
                Accept
              </Button>
            ) : (
              <Text fz="sm">Admins of the project can accept them.</Text>
            )}
          </Group>
        </Alert>
      )}
    </Section>
  );
}

/** Without the type name, which the cache adds and no input has. */
const inputOf = ({ runFee, freeRunsPerUser }: { runFee: number; freeRunsPerUser: number }) => ({
  runFee,
  freeRunsPerUser,
});

function Publication({ workflow }: { workflow: Offer }) {
  const { id, isPublished, marketTitle, shortDescription, availableLanguages, runs } = workflow;
  const publish = useAction(PublishOfferDocument, { failure: 'Not published', success: 'It is on the marketplace.' });
  const unpublish = useAction(UnpublishOfferDocument, {
    failure: 'Not removed',
    success: 'It is no longer on the marketplace. Copies stay.',
  });
  const steps = [
    ['A title for the marketplace', marketTitle.trim() !== ''],
    ['A short description', shortDescription.trim() !== ''],
    ['At least one language', availableLanguages.length > 0],
    ['A succeeded run as the template', isPublished || runs.items.some(run => run.useAsMarketplaceTemplate)],
  ] as const;
  return (
    <Section title="Publication">
      <Stack gap="sm">
        <List fz="sm" spacing={6} center withPadding={false} pl={0} aria-label="Requirements">
          {steps.map(([label, isDone]) => (
            <List.Item
              key={label}
              icon={
                <ThemeIcon size={20} radius="xl" variant="light" color={isDone ? 'green' : 'gray'}>
                  {isDone && <IconCheck size={13} />}
                </ThemeIcon>
              }
            >
              {label}
              {!isDone && ' is missing'}
            </List.Item>
          ))}
        </List>
        <Group justify="flex-end">
          {isPublished ? (
            <Button variant="default" loading={unpublish.isBusy} onClick={() => void unpublish.run({ id })}>
              Remove from the marketplace
            </Button>
          ) : (
            <Button
              loading={publish.isBusy}
              disabled={steps.some(([, isDone]) => !isDone)}
              onClick={() => void publish.run({ id })}
            >
              Publish
            </Button>
          )}
        </Group>
      </Stack>
    </Section>
  );
}
