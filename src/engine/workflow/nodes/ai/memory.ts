import { z } from 'zod';
import type { RememberedMessage } from '../../../conversation/port.js';
import type { FieldForms } from '../../graph/node-form.js';
import type { Execution } from '../../graph/node-kind.js';
import type { SettingMode } from '../../graph/settings.js';

const DEFAULT_MAX_MESSAGES = 20;
const MAX_MESSAGES = 100;
/** Roles of instructions for a model. They stay in front of the earlier messages. */
export const INSTRUCTION_ROLES: ReadonlySet<string> = new Set(['system', 'developer']);

/** The setting for earlier messages of a conversation. */
export const memoryMember = (setting: SettingMode) =>
  z
    .looseObject({
      conversation: setting
        .text(z.string())
        .nullish()
        .describe(
          'Id of a conversation of the project, such as `{{ input.conversation_id }}`. The node fails with `conversation_not_found` if there is none. Default: the conversation of the chat message that started the run, if there is one.',
        ),
      max_messages: setting
        .value(z.number().int().min(2).max(MAX_MESSAGES))
        .nullish()
        .describe('Maximum number of earlier messages, 2-100. A message and its answer are two. Default 20.'),
    })
    .nullish()
    .describe(
      'Adds earlier messages of a chat and their answers in front of the messages, after instructions; at most 32000 characters, older ones are left out. `{}` uses the defaults. Default: none.',
    );

/** Form of `memoryMember`. */
export const memoryFields: FieldForms = {
  'memory.max_messages': { title: 'Earlier messages of the chat to add', widget: 'number', group: 'memory' },
  'memory.conversation': { title: 'Id of another conversation', widget: 'text', group: 'memory' },
};

interface MemorySettings {
  messages: { role: string; message: string }[];
  memory?: { conversation?: string | null | undefined; max_messages?: number | null | undefined } | null | undefined;
}

/**
 * Returns the settings with the earlier messages of the conversation. They are a recorded step, so that a resumed run sends the
 * same requests.
 */
export async function withMemory<Settings extends MemorySettings>({
  settings,
  ports,
  steps,
}: Pick<Execution<Settings>, 'settings' | 'ports' | 'steps'>): Promise<Settings> {
  const { memory, messages } = settings;
  if ((memory ?? null) === null) return settings;
  const conversation = memory?.conversation?.trim();
  const query = {
    ...(conversation ? { conversation } : {}),
    maxMessages: memory?.max_messages ?? DEFAULT_MAX_MESSAGES,
  };
  const recorded = await steps.call({ name: 'memory' }, async () => ({
    content: JSON.stringify(await ports.conversations.read(query)),
  }));
  const earlier: RememberedMessage[] = JSON.parse(recorded);
  const first = messages.findIndex(({ role }) => !INSTRUCTION_ROLES.has(role));
  const remembered = earlier.map(({ role, content }) => ({ role, message: content }));
  return { ...settings, messages: messages.toSpliced(first < 0 ? messages.length : first, 0, ...remembered) };
}

/** Returns true if unresolved settings add earlier messages. */
export function hasMemory({ memory }: { memory?: unknown }): boolean {
  return (memory ?? null) !== null;
}
