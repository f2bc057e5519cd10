import { useQuery } from '@apollo/client/react';
import { Button, Divider, Menu, ScrollArea, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { IconCheck, IconFolder, IconPlus, IconSelector } from '@/icons';
import { lastProjectId, useProjectIdOrNull } from '@/shared/project/use-project';
import { SwitcherProjectsDocument } from './app.generated';

/** Shows the current project, and opens another one. */
export function ProjectSwitcher() {
  const { data } = useQuery(SwitcherProjectsDocument);
  const navigate = useNavigate();
  const current = useProjectIdOrNull() ?? lastProjectId();
  const projects = data?.projects.items ?? [];
  const name = projects.find(({ id }) => id === current)?.name ?? 'Choose a project';
  return (
    <Menu position="bottom-start" width="target" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          px="xs"
          leftSection={<IconFolder size={16} />}
          rightSection={<IconSelector size={15} />}
          aria-label={`Project: ${name}`}
        >
          <Text truncate fz="sm" fw={500} ta="start" w={140}>
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={320} type="auto">
          {projects.map(project => (
            <Menu.Item
              key={project.id}
              rightSection={project.id === current ? <IconCheck size={15} /> : undefined}
              onClick={() => void navigate({ to: '/projects/$projectId', params: { projectId: String(project.id) } })}
            >
              <Text truncate fz="sm">
                {project.name}
              </Text>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        <Divider my={4} />
        <Menu.Item leftSection={<IconPlus size={15} />} onClick={() => void navigate({ to: '/projects' })}>
          All projects, new project
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
