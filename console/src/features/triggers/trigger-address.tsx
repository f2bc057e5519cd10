import { Anchor, Stack, Text } from '@mantine/core';
import { JsonView } from '@/shared/json/json-view';
import { Section } from '@/shared/layout/section';
import { toCurl } from './trigger-texts';
import type { TriggerDetailFragment } from './triggers.generated';

/** The address of a webhook, form or chat, and how to use it. */
export function TriggerAddress({ trigger }: { trigger: TriggerDetailFragment }) {
  const { path, webhook } = trigger;
  if (path === null) return <Section title="Address" description="Only editors of the project see the address." />;
  const address = `${location.origin}${path}`;
  return webhook ? <WebhookAddress address={address} webhook={webhook} /> : <PageAddress trigger={trigger} />;
}

function WebhookAddress({
  address,
  webhook,
}: {
  address: string;
  webhook: NonNullable<TriggerDetailFragment['webhook']>;
}) {
  const command = toCurl(address, webhook);
  return (
    <Section title="Address" description="It is enough to call the webhook: keep it as secret as a password.">
      <Stack gap="sm">
        <JsonView value={address} label="address" />
        {command === null ? (
          <Text fz="sm" c="dimmed">
            The other system signs its calls with the secret.
          </Text>
        ) : (
          <JsonView value={command} label="example" />
        )}
      </Stack>
    </Section>
  );
}

function PageAddress({ trigger: { path, form, chat } }: { trigger: TriggerDetailFragment }) {
  const noun = chat ? 'chat' : 'form';
  const isForMembers = (chat ?? form)?.access === 'MEMBERS';
  const address = `${location.origin}${path}`;
  return (
    <>
      <Section
        title="Address"
        description={
          isForMembers
            ? `Members of the project, viewers included, can use the ${noun}.`
            : `Every person with this address can open the ${noun} and start runs.`
        }
      >
        <Stack gap="sm" align="flex-start">
          <JsonView value={address} label="address" />
          <Anchor href={path ?? undefined} target="_blank" rel="noreferrer">
            Open the {noun}
          </Anchor>
        </Stack>
      </Section>
      {chat && !isForMembers && <Embedding address={address} origins={chat.allowedOrigins} />}
    </>
  );
}

function Embedding({ address, origins }: { address: string; origins: readonly string[] }) {
  if (origins.length === 0)
    return (
      <Section
        title="Embedding"
        description="To show the chat on another site, edit the trigger and add the site to those that may embed it."
      />
    );
  return (
    <Section title="Embedding" description={`Add this line to pages of ${origins.join(', ')}.`}>
      <JsonView value={`<script src="${address}/embed.js" async></script>`} label="embedding" />
    </Section>
  );
}
