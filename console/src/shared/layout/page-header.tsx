import { Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

export interface PageHeaderProps {
  title: string;
  /** The purpose of the screen, in one line below the title. */
  description?: ReactNode;
  /** Links to the screens above, from the outermost. */
  trail?: { label: string; link: ReactNode }[];
  /** Buttons; the main action is last. */
  actions?: ReactNode;
  /** Badges next to the title. */
  badges?: ReactNode;
}

/** The first element of every screen. It also sets the title of the browser tab. */
export function PageHeader({ title, description, trail = [], actions, badges }: PageHeaderProps) {
  useDocumentTitle(`${title} · Scenarium`);
  return (
    <Stack gap={4} mb="lg">
      {trail.length > 0 && (
        <Breadcrumbs separatorMargin={6} fz="sm" c="dimmed">
          {trail.map(({ label, link }) => (
            <span key={label}>{link}</span>
          ))}
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" gap="sm" wrap="wrap">
        <Group gap="sm" style={{ minWidth: 0, flex: '1 1 14rem' }}>
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {badges}
        </Group>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {description !== undefined && (
        <Text c="dimmed" fz="sm" maw="44rem">
          {description}
        </Text>
      )}
    </Stack>
  );
}
