import { Box, Center, Group, Paper, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Brand } from '@/app/frame';

export interface SignInFrameProps {
  title: string;
  children: ReactNode;
  /** Below the card. */
  footer?: ReactNode;
}

/** A card in the middle of the window, for people who are not signed in. */
export function SignInFrame({ title, children, footer }: SignInFrameProps) {
  useDocumentTitle(`${title} · Scenarium`);
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--console-sidebar)">
      <Box w="100%" maw={400}>
        <Group justify="center" mb="lg">
          <Brand />
        </Group>
        <Paper p="xl" shadow="xs">
          <Stack>
            <Title order={1} ta="center">
              {title}
            </Title>
            {children}
          </Stack>
        </Paper>
        {footer}
      </Box>
    </Center>
  );
}
