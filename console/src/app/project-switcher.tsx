import { Button, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { IconFolder, IconPlus, IconSelector } from '@/icons';
import { ChoiceButton } from '@/shared/lists/choice-button';
import { useProjectChoices } from '@/shared/project/use-choices';
import { lastProjectId, useProjectIdOrNull } from '@/shared/project/use-project';

/** Shows the current project, and opens another one. */
export function ProjectSwitcher() {
  const navigate = useNavigate();
  const current = useProjectIdOrNull() ?? lastProjectId();
  const [isOpen, setIsOpen] = useState(false);
  // Administrators see all projects of the service. While the list is closed, only the name of the current one is needed.
  const projects = useProjectChoices({ isEnough: loaded => !isOpen && loaded.some(({ id }) => id === current) });
  const name = projects.find(({ id }) => id === current)?.name ?? 'Choose a project';
  return (
    <ChoiceButton
      label="Projects"
      choices={projects.map(project => ({ value: String(project.id), label: project.name }))}
      value={String(current)}
      onChoose={projectId => void navigate({ to: '/projects/$projectId', params: { projectId } })}
      onOpenChange={setIsOpen}
      position="bottom-start"
      width={240}
      footer={close => (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          fw={400}
          fullWidth
          justify="flex-start"
          px={4}
          leftSection={<IconPlus size={15} />}
          onClick={() => {
            close();
            void navigate({ to: '/projects' });
          }}
        >
          All projects, new project
        </Button>
      )}
    >
      {target => (
        <Button
          {...target}
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
      )}
    </ChoiceButton>
  );
}
