import { ApolloProvider } from '@apollo/client/react';
import { Button, Center, Loader, MantineProvider, Stack, Text } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { client } from '@/api/client';
import { onSessionChange, startSession, useSession } from '@/session/session';
import { cssVariables, theme } from '@/theme/theme';
import { router } from './router';

/** The console: theme, messages, the client of the API and the screens. */
export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <Notifications position="bottom-right" limit={4} />
      <ApolloProvider client={client}>
        <Content />
      </ApolloProvider>
    </MantineProvider>
  );
}

/** Loads the code of the screen of a path while the session is loaded. The router loads it again if that fails. */
function preloadScreen(path: string): void {
  const [routes] = router.getMatchedRoutes(path);
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined);
}

function start(): Promise<void> {
  preloadScreen(window.location.pathname);
  return startSession();
}

/** Begins when the script is loaded, so that its requests do not wait for the first rendering. */
let starting = start();
// `Content` shows a failure.
starting.catch(() => undefined);

/** The routes depend on the user, so the session is loaded before the first screen. */
function Content() {
  const { status } = useSession();
  const [failure, setFailure] = useState<string | null>(null);
  const awaitStart = () => {
    setFailure(null);
    starting.catch((error: Error) => setFailure(error.message));
  };
  const startAgain = () => {
    starting = start();
    awaitStart();
  };
  useEffect(awaitStart, []);
  // The user leaves screens that the new session may not see.
  useEffect(() => onSessionChange(() => void router.invalidate()), []);
  if (status !== 'starting') return <RouterProvider router={router} />;
  return (
    <Center mih="100dvh" p="md">
      {failure === null ? (
        <Loader aria-label="Loading" />
      ) : (
        <Stack align="center" role="alert">
          <Text ta="center">The service cannot be reached. {failure}</Text>
          <Button onClick={startAgain}>Try again</Button>
        </Stack>
      )}
    </Center>
  );
}
