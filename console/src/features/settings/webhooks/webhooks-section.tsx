import { useQuery } from '@apollo/client/react';
import { Button, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { IconRefresh, IconSend } from '@/icons';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { useAction } from '@/shared/forms/use-action';
import { QueryView } from '@/shared/layout/query-view';
import { Section } from '@/shared/layout/section';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { SecretOnce } from '@/shared/secret-once';
import { DeliveriesSection } from './deliveries-section';
import {
  RotateWebhookSecretDocument,
  SaveWebhookDocument,
  TestWebhookDocument,
  WebhookSettingsDocument,
  type WebhookSettingsQuery,
} from './webhooks.generated';

type Project = NonNullable<WebhookSettingsQuery['project']>;

/** The webhook of the project, its signing secret and its deliveries. */
export function WebhooksSection() {
  const query = useQuery(WebhookSettingsDocument, { variables: { projectId: useProjectId() } });
  return (
    <QueryView query={query}>
      {({ project }) => (
        <Stack gap="xl">
          <Stack gap="lg" maw={720}>
            <EndpointSection project={project} />
            <SecretSection />
          </Stack>
          <DeliveriesSection />
        </Stack>
      )}
    </QueryView>
  );
}

function EndpointSection({ project: { id, webhookUrl, isWebhookEnabled } }: { project: Project }) {
  const form = useForm({ initialValues: { webhookUrl, isWebhookEnabled } });
  const { submit, isBusy, problem } = useFormMutation(SaveWebhookDocument, {
    form,
    onDone: (_data, _variables, markSaved) => {
      markSaved();
      notifySuccess('The webhook is saved.');
    },
  });
  const test = useAction(TestWebhookDocument, {
    failure: 'Not sent',
    success: 'A test event is on its way. Its result appears below.',
    refetchQueries: ['WebhookDeliveries'],
  });
  return (
    <Section
      title="Webhook"
      description="A POST request to your server when a run of a workflow, scenario, document or keywords ends."
    >
      <form onSubmit={form.onSubmit(input => submit({ id, input }))}>
        <Stack gap="sm">
          <TextInput
            label="URL"
            type="url"
            maxLength={2048}
            placeholder="https://example.com/webhooks/scenarium"
            {...form.getInputProps('webhookUrl')}
          />
          <Switch label="Send webhooks" {...form.getInputProps('isWebhookEnabled', { type: 'checkbox' })} />
          <FormProblem problem={problem} />
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              leftSection={<IconSend size={15} />}
              disabled={webhookUrl === '' || form.isDirty()}
              loading={test.isBusy}
              onClick={() => void test.run({ projectId: id })}
            >
              Send test event
            </Button>
            <Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
              Save webhook
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function SecretSection() {
  const projectId = useProjectId();
  const [isOpen, dialog] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useAction(RotateWebhookSecretDocument, { failure: 'Not created' });
  return (
    <>
      <Section
        title="Signing secret"
        description="Requests are signed in the format of Standard Webhooks, so that your server can check where they come from."
        actions={
          <Button variant="default" leftSection={<IconRefresh size={15} />} onClick={dialog.open}>
            New secret
          </Button>
        }
      />
      <ConfirmDialog
        isOpen={isOpen}
        onClose={dialog.close}
        title="Create a new signing secret?"
        confirmLabel="Create secret"
        isDangerous={false}
        onConfirm={async () => {
          const data = await rotate.runOrThrow({ projectId });
          setSecret(data.webhookSecretRotate?.webhookSecret?.secret ?? null);
        }}
      >
        The present secret also signs for 24 hours, so that your server can change over. An older one ends at once.
      </ConfirmDialog>
      <SecretOnce
        title="Your new signing secret"
        secret={secret}
        onClose={() => setSecret(null)}
        label="signing secret"
      >
        Store the secret on your server now. It is not shown again.
      </SecretOnce>
    </>
  );
}
