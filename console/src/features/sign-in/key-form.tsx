import { Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { client } from '@/api/client';
import { problemOf } from '@/api/errors';
import { signInByKey } from '@/session/session';
import { MeDocument } from '@/session/session.generated';
import { FormProblem } from '@/shared/forms/form-problem';

/** Signs in by an API key. */
export function KeyForm() {
  const form = useForm({ initialValues: { key: '' } });
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async ({ key }: typeof form.values) => {
    setIsBusy(true);
    setProblem(await trySignIn(key.trim()));
    setIsBusy(false);
  };
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <PasswordInput
          label="API key"
          description="Stays in this tab only. The console has the rights of the key."
          autoComplete="off"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
          {...form.getInputProps('key')}
        />
        <FormProblem problem={problem} />
        <Button type="submit" fullWidth loading={isBusy}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** Signs in if the service accepts the key. Returns the message of the error otherwise. */
async function trySignIn(key: string): Promise<string | null> {
  try {
    const headers = { 'X-Api-Key': key };
    await client.query({ query: MeDocument, context: { headers }, fetchPolicy: 'no-cache' });
    signInByKey(key);
    return null;
  } catch (error) {
    const { code, message } = problemOf(error);
    return code === 'UNAUTHENTICATED' ? 'The service does not know this key.' : message;
  }
}
