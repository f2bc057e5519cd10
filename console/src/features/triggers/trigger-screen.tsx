import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { Section } from '@/shared/layout/section';
import { DEFAULT_ENVIRONMENT } from '@/shared/project/environments';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';
import { ConversationsSection } from './conversations-section';
import { FiringLog } from './firing-log';
import { TriggerAddress } from './trigger-address';
import { WorkflowTriggersLink } from './trigger-links';
import { TriggerMenu } from './trigger-menu';
import { TriggerSwitch } from './trigger-switch';
import { describeTrigger, formatTime } from './trigger-texts';
import { type TriggerDetailFragment, TriggerViewDocument } from './triggers.generated';

/** One trigger: when or how it starts runs, and its log. */
export function TriggerScreen() {
  const { triggerId } = useParams({ strict: false }) as { triggerId: string };
  const query = useQuery(TriggerViewDocument, { variables: { id: Number(triggerId) } });
  return <QueryView query={query}>{({ workflowTrigger }) => <TriggerView trigger={workflowTrigger} />}</QueryView>;
}

function TriggerView({ trigger }: { trigger: TriggerDetailFragment }) {
  const { id, workflowId, name } = trigger;
  const how = describeTrigger(trigger);
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const { isEditor } = useProjectRole();
  const leave = () =>
    void navigate({
      to: '/projects/$projectId/workflows/$workflowId/triggers',
      params: { projectId, workflowId: String(workflowId) },
    });
  return (
    <>
      <PageHeader
        title={name}
        description={trigger.environment === DEFAULT_ENVIRONMENT ? how : `${how} · ${trigger.environment}`}
        trail={[
          {
            label: 'triggers',
            link: <Anchor renderRoot={link => <WorkflowTriggersLink {...link} id={workflowId} />}>Triggers</Anchor>,
          },
        ]}
        actions={
          <>
            <TriggerSwitch trigger={trigger} canEdit={isEditor} label="Enabled" />
            {isEditor && <TriggerMenu trigger={trigger} onDeleted={leave} />}
          </>
        }
      />
      <Stack gap="xl">
        {trigger.isPaused && (
          <Alert color="yellow" title="The workflow is paused">
            None of its triggers starts runs until it is resumed in the list of workflows.
          </Alert>
        )}
        {trigger.schedule ? (
          <Section title="Next run">
            <Text>
              {trigger.nextAt ? formatTime(trigger.nextAt) : 'None: it is switched off, paused or not due again.'}
            </Text>
          </Section>
        ) : (
          (trigger.webhook || trigger.form || trigger.chat) && <TriggerAddress trigger={trigger} />
        )}
        {trigger.chat && isEditor && <ConversationsSection triggerId={id} />}
        <FiringLog triggerId={id} />
      </Stack>
    </>
  );
}
