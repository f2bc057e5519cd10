import { Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';

export interface EmptyStateProps {
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>;
  title: string;
  /** A description of the items that the screen will show. */
  children: ReactNode;
  /** One button: the next step. */
  action?: ReactNode;
}

/** Replaces an empty list: a description of its items, and one button. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <Center py={56} px="md">
      <Stack align="center" gap="xs" maw="26rem" ta="center">
        <ThemeIcon variant="light" size={48} radius="xl" mb={4}>
          <Icon size={24} stroke={1.6} />
        </ThemeIcon>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" fz="sm" mb={action === undefined ? 0 : 'sm'}>
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}
