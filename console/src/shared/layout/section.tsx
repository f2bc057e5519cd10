import { Group, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

export interface SectionProps {
  title: string;
  /** The purpose of the section, in one or two sentences. */
  description?: ReactNode;
  /** Buttons next to the title. */
  actions?: ReactNode;
  /** Whether the content has its own frame, such as a table. */
  isPlain?: boolean;
  children?: ReactNode;
}

/** A titled part of a screen of settings. */
export function Section({ title, description, actions, isPlain = false, children }: SectionProps) {
  const id = useId();
  const head = (
    <Group justify="space-between" align="flex-start" gap="sm" mb={children ? 'md' : 0} wrap="nowrap">
      <div>
        <Title order={2} id={id}>
          {title}
        </Title>
        {description !== undefined && (
          <Text fz="sm" c="dimmed" maw="40rem" mt={2}>
            {description}
          </Text>
        )}
      </div>
      {actions !== undefined && (
        <Group gap="xs" wrap="nowrap" style={{ flex: 'none' }}>
          {actions}
        </Group>
      )}
    </Group>
  );
  if (isPlain)
    return (
      <section aria-labelledby={id}>
        {head}
        {children}
      </section>
    );
  return (
    <Paper p="lg" component="section" aria-labelledby={id}>
      {head}
      {children}
    </Paper>
  );
}
