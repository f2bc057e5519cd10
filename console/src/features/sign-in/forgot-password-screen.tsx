import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { RequestPasswordResetDocument } from './sign-in.generated';
import { SignInFrame } from './sign-in-frame';

/** Requests an email with a link for a new password. It never says whether the account exists. */
export function ForgotPasswordScreen() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({ initialValues: { email: '' } });
  const { submit, isBusy, problem } = useFormMutation(RequestPasswordResetDocument, {
    form,
    onDone: (_data, { email }) => setSentTo(email.trim()),
  });
  const back = (
    <Text ta="center" fz="sm" mt="lg">
      <Anchor component={Link} to="/sign-in">
        Back to sign in
      </Anchor>
    </Text>
  );
  if (sentTo !== null)
    return (
      <SignInFrame title="Check your email" footer={back}>
        <Stack role="status">
          <Text style={{ overflowWrap: 'anywhere' }}>
            If <strong>{sentTo}</strong> belongs to an account with a password, a link to set a new one is on its way.
          </Text>
          <Text fz="sm" c="dimmed">
            The link works once, within 60 minutes. If nothing arrives, look in the spam folder or ask an administrator.
          </Text>
        </Stack>
        <Button variant="default" fullWidth onClick={() => setSentTo(null)}>
          Use another email
        </Button>
      </SignInFrame>
    );
  return (
    <SignInFrame title="Forgot your password?" footer={back}>
      <form onSubmit={form.onSubmit(values => submit(values))}>
        <Stack>
          <Text fz="sm" c="dimmed">
            We send you a link to set a new password.
          </Text>
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            data-autofocus
            {...form.getInputProps('email')}
          />
          <FormProblem problem={problem} />
          <Button type="submit" fullWidth loading={isBusy}>
            Send link
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
