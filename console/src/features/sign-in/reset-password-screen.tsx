import { Button, Checkbox, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { adoptSession } from '@/session/session';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { notifySuccess } from '@/shared/notify';
import { takeAddressToken } from './link-token';
import { ResetPasswordDocument } from './sign-in.generated';
import { SignInFrame } from './sign-in-frame';

/** Kept outside of React, whose strict mode runs effects twice: the first one removes the token from the address. */
let token: string | null = null;

/** Sets a new password by the token of a link (`#token=`), and signs in. */
export function ResetPasswordScreen() {
  const navigate = useNavigate();
  useEffect(() => {
    token = takeAddressToken() ?? token;
  }, []);
  const form = useForm({ initialValues: { newPassword: '', revokeKeys: false } });
  const { submit, isBusy, problem } = useFormMutation(ResetPasswordDocument, {
    form,
    onDone: async ({ passwordReset }) => {
      token = null;
      if (passwordReset?.session) await adoptSession(passwordReset.session.refresh);
      notifySuccess('The password is changed. All other sessions have ended.');
      await navigate({ to: '/', replace: true });
    },
  });
  return (
    <SignInFrame title="New password">
      <form onSubmit={form.onSubmit(values => submit({ ...values, token: token ?? '' }))}>
        <Stack>
          <Text fz="sm" c="dimmed">
            You are signed in afterwards, and all your other sessions end.
          </Text>
          <PasswordInput
            label="New password"
            description="8 characters or more"
            autoComplete="new-password"
            required
            withAsterisk={false}
            minLength={8}
            maxLength={1024}
            data-autofocus
            visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
            {...form.getInputProps('newPassword')}
          />
          <Checkbox label="Delete all my API keys too" {...form.getInputProps('revokeKeys', { type: 'checkbox' })} />
          <FormProblem problem={problem} />
          <Button type="submit" fullWidth loading={isBusy}>
            Set password
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
