import { Alert, Anchor, Button, Divider, Tabs, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '@/session/session';
import { TabBar } from '@/shared/layout/tab-bar';
import { KeyForm } from './key-form';
import { useLinkToken } from './link-token';
import { PasswordForm } from './password-form';
import { SignInFrame } from './sign-in-frame';
import { SIGN_IN_PROBLEMS, type SignInProblem } from './sign-in-problems';
import { useSignInOptions } from './use-sign-in-options';

/** Signs in by password, by API key, at the issuer of the operator or by the link of the first start (`#token=`). */
export function SignInScreen() {
  const session = useSession();
  const navigate = useNavigate();
  const { next = '/', problem } = useSearch({ strict: false }) as { next?: string; problem?: SignInProblem };
  const link = useLinkToken();
  const options = useSignInOptions();
  useEffect(() => {
    if (session.status === 'signed-in') void navigate({ href: next, replace: true });
  }, [session, next, navigate]);
  const notice = link.problem ?? (session.status === 'signed-out' ? session.notice : null);
  return (
    <SignInFrame
      title="Sign in"
      footer={
        <Text ta="center" fz="sm" c="dimmed" mt="lg">
          For developers: <Anchor href="/graphiql">GraphiQL</Anchor>, <Anchor href="/docs">REST reference</Anchor>,{' '}
          <Anchor href="/openapi.json">openapi.json</Anchor>
        </Text>
      }
    >
      {notice !== null && (
        <Alert color="yellow" role="status">
          {notice}
        </Alert>
      )}
      {problem !== undefined && (
        <Alert color="red" role="alert">
          {SIGN_IN_PROBLEMS[problem]}
        </Alert>
      )}
      {options?.oidc && (
        <>
          <Button
            component="a"
            href={`${options.oidc.startUrl}?next=${encodeURIComponent(next)}`}
            variant="default"
            fullWidth
          >
            Continue with {options.oidc.name}
          </Button>
          <Divider label="or" />
        </>
      )}
      <Tabs defaultValue="password" keepMounted={false}>
        <TabBar grow mb="md">
          <Tabs.Tab value="password">Password</Tabs.Tab>
          <Tabs.Tab value="key">API key</Tabs.Tab>
        </TabBar>
        <Tabs.Panel value="password">
          <PasswordForm isBusy={link.isBusy} />
        </Tabs.Panel>
        <Tabs.Panel value="key">
          <KeyForm />
        </Tabs.Panel>
      </Tabs>
      <Text ta="center" fz="sm" c="dimmed" style={{ textWrap: 'balance' }}>
        {options?.isResetByEmailAvailable ? (
          <Anchor component={Link} to="/forgot-password">
            Forgot your password?
          </Anchor>
        ) : (
          'Forgot your password? Ask an administrator for a link.'
        )}
      </Text>
    </SignInFrame>
  );
}
