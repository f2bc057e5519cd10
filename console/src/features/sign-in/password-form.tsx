import { useMutation } from '@apollo/client/react';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { assertAccepted, problemOf } from '@/api/errors';
import { adoptSession } from '@/session/session';
import { SignInDocument } from '@/session/session.generated';
import { FormProblem } from '@/shared/forms/form-problem';

/** Signs in by email and password. `isBusy`: another sign-in is in progress. */
export function PasswordForm({ isBusy = false }: { isBusy?: boolean }) {
  const form = useForm({ initialValues: { email: '', password: '' } });
  const [signIn, { loading }] = useMutation(SignInDocument);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (variables: typeof form.values) => {
    setProblem(null);
    try {
      const { data } = await signIn({ variables });
      assertAccepted(data);
      if (data?.sessionCreate?.session) await adoptSession(data.sessionCreate.session.refresh);
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  };
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          {...form.getInputProps('password')}
        />
        <FormProblem problem={problem} />
        <Button type="submit" fullWidth loading={loading || isBusy}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
