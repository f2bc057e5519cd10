import { useQuery } from '@apollo/client/react';
import { Button, Checkbox, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { signOut, useSession } from '@/session/session';
import { MeDocument } from '@/session/session.generated';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { notifySuccess } from '@/shared/notify';
import { ChangePasswordDocument } from './account.generated';
import { KeysSection } from './keys/keys-section';
import { SessionsSection } from './sessions-section';

/** The account of the viewer: password, sessions and API keys. */
export function AccountScreen() {
  const query = useQuery(MeDocument);
  const session = useSession();
  return (
    <Stack maw={860} gap="xl">
      <div>
        <PageHeader
          title="Account"
          actions={
            <Button variant="default" onClick={() => void signOut()}>
              Sign out
            </Button>
          }
        />
        <Paper p="lg">
          <QueryView query={query}>
            {({ me }) => (
              <Stack gap={2}>
                <Text fw={500}>{me.name || me.email}</Text>
                <Text fz="sm" c="dimmed">
                  {me.email}
                  {me.isAdmin && ' · Administrator'}
                </Text>
                <Text fz="sm" c="dimmed">
                  {session.status === 'signed-in' && session.by === 'key'
                    ? 'Signed in by an API key. It stays in this tab only.'
                    : 'Signed in. The session ends after 30 days without a visit.'}
                </Text>
              </Stack>
            )}
          </QueryView>
        </Paper>
      </div>
      {query.data?.me?.hasPassword && <PasswordSection />}
      <SessionsSection />
      <KeysSection />
    </Stack>
  );
}

const EMPTY = { currentPassword: '', newPassword: '', revokeKeys: false };

function PasswordSection() {
  const form = useForm({ initialValues: EMPTY });
  const { submit, isBusy, problem } = useFormMutation(ChangePasswordDocument, {
    form,
    onDone: () => {
      form.reset();
      notifySuccess('The password is changed. Your other sessions have ended.');
    },
  });
  return (
    <Paper p="lg" component="section" aria-labelledby="password-title">
      <Title order={2} id="password-title" mb={4}>
        Password
      </Title>
      <Text fz="sm" c="dimmed" mb="md">
        A change ends your sessions on other devices.
      </Text>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': 'Show the current password' }}
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label="New password"
            description="8 characters or more"
            autoComplete="new-password"
            required
            minLength={8}
            maxLength={1024}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
            {...form.getInputProps('newPassword')}
          />
          <Checkbox label="Delete all my API keys too" {...form.getInputProps('revokeKeys', { type: 'checkbox' })} />
          <FormProblem problem={problem} />
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
