import { Faults } from '../../../platform/errors/fields.js';
import { TriggerFormAccess } from '../form/form-trigger.type.js';
import { checkMapping } from '../mapping.js';
import { withDefaults } from '../trigger-settings.js';
import type { TriggerChatInput } from './chat-trigger.inputs.js';
import type { TriggerChat } from './chat-trigger.type.js';

const DEFAULTS: TriggerChat = {
  ...{ title: '', greeting: '', allowedOrigins: [], historyMessages: 20, waitSeconds: 60, showsSteps: false },
  ...{ access: TriggerFormAccess.PUBLIC, mapping: null },
};
const MAX_ORIGINS = 20;
/** The members that a mapping may refer to. */
const MESSAGE_MEMBERS = ['message', 'conversation_id', 'history'];

/** Checks the settings of a chat and returns them as they are stored. Faults are added with the prefix `chat.`. */
export function checkChat(input: TriggerChatInput, faults: Faults): TriggerChat {
  const settings = withDefaults<TriggerChat>(input, DEFAULTS);
  const own = new Faults();
  own.text('title', settings.title, { max: 255 });
  own.text('greeting', settings.greeting, { max: 2_000 });
  own.integer('historyMessages', settings.historyMessages, { min: 0, max: 50 });
  own.integer('waitSeconds', settings.waitSeconds, { min: 1, max: 60 });
  const allowedOrigins = [...new Set(settings.allowedOrigins.map(origin => origin.toLowerCase()))];
  if (allowedOrigins.length > MAX_ORIGINS) own.add('allowedOrigins', `Give at most ${MAX_ORIGINS} origins.`);
  if (!allowedOrigins.every(isOrigin))
    own.add('allowedOrigins', 'An origin is a scheme and a host without a path, for example https://example.com.');
  if (settings.mapping !== null) checkMapping(settings.mapping, MESSAGE_MEMBERS, own);
  faults.addWithin('chat', own);
  return { ...settings, allowedOrigins };
}

/** Accepts only the normal form of an origin, which has no characters with a meaning in a Content-Security-Policy. */
function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

/** The settings of a stored chat, with defaults for members that an earlier release did not store. */
export function toChat(settings: unknown): TriggerChat {
  return { ...DEFAULTS, ...(settings as Partial<TriggerChat>) };
}
