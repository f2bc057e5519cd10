import { Button, Drawer, Group, JsonInput, Stack, Textarea, TextInput } from '@mantine/core';
import { type ChatSettings, toolsProblem } from './use-chat';

const EXAMPLE_TOOLS = JSON.stringify(
  [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather in a city now.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    },
  ],
  null,
  2,
);

interface SettingsPanelProps {
  isOpen: boolean;
  onClose: () => void;
  settings: ChatSettings;
  onChange: (settings: ChatSettings) => void;
}

/** The parameters of the next message, the same for all models. */
export function SettingsPanel({ isOpen, onClose, settings, onChange }: SettingsPanelProps) {
  const set = (part: Partial<ChatSettings>) => onChange({ ...settings, ...part });
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" title="Parameters">
      <Stack>
        <Textarea
          label="System prompt"
          autosize
          minRows={3}
          maxRows={12}
          value={settings.system}
          onChange={event => set({ system: event.currentTarget.value })}
        />
        <Group grow align="flex-start">
          <TextInput
            label="Temperature"
            type="number"
            min={0}
            max={2}
            step={0.1}
            placeholder="Default"
            value={settings.temperature}
            onChange={event => set({ temperature: event.currentTarget.value })}
          />
          <TextInput
            label="Maximum tokens"
            type="number"
            min={1}
            step={1}
            placeholder="Default"
            value={settings.maxTokens}
            onChange={event => set({ maxTokens: event.currentTarget.value })}
          />
        </Group>
        <JsonInput
          label="Tools"
          description="A JSON list in the format of chat completions"
          autosize
          minRows={6}
          maxRows={20}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8rem' } }}
          error={toolsProblem(settings.tools)}
          value={settings.tools}
          onChange={tools => set({ tools })}
        />
        {settings.tools === '' && (
          <Button size="xs" variant="default" onClick={() => set({ tools: EXAMPLE_TOOLS })}>
            Insert an example
          </Button>
        )}
      </Stack>
    </Drawer>
  );
}
