import { eventsOf } from './events';

/** The page of a chat: sends the messages of a visitor and shows their answers. */

interface Message {
  id: string;
  text: string;
  answer: string | null;
  state: 'pending' | 'answered' | 'failed';
}

const POLL_MS = 3_000;
const base = location.pathname.replace(/\/$/, '');
const storageKey = `conversation ${base}`;
const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const list = byId<HTMLOListElement>('messages');
const notice = byId('notice');
const form = byId<HTMLFormElement>('form');
const text = byId<HTMLTextAreaElement>('text');
const restart = byId<HTMLButtonElement>('restart');
const send = form.querySelector('button') as HTMLButtonElement;

/** The id of the conversation, which this browser keeps for the chat. */
let conversation = storedConversation() ?? storeConversation(newId());
/** The next message. It keeps its id until the service has accepted it, so that a retry sends it only once. */
let next = { id: newId(), text: '' };
/** The list items of answers, by id of the message. */
const answers = new Map<string, HTMLLIElement>();

/** A random UUID of version 4 (RFC 9562). `crypto.randomUUID` does not exist on pages without TLS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Browsers may refuse storage to a page in a frame: the conversation then ends with the page. */
function storedConversation(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function storeConversation(id: string): string {
  try {
    localStorage.setItem(storageKey, id);
  } catch {
    // The conversation ends with the page.
  }
  return id;
}

function addItem(className: string, content: string): HTMLLIElement {
  const item = document.createElement('li');
  item.className = className;
  item.textContent = content;
  list.append(item);
  item.scrollIntoView({ block: 'end' });
  return item;
}

function show(message: Message): void {
  let item = answers.get(message.id);
  if (!item) {
    addItem('own', message.text);
    item = addItem('pending', '…');
    answers.set(message.id, item);
  }
  if (message.state === 'pending') return;
  item.className = message.state;
  item.textContent = message.state === 'failed' ? 'There is no answer: the chat had a problem.' : message.answer || '–';
  item.scrollIntoView({ block: 'end' });
}

async function reasonOf(response: Response): Promise<string> {
  if (response.status === 404) return 'No chat has this address.';
  if (response.status === 429) return 'You sent too many messages. Try again in a minute.';
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
  return detail ?? 'The message was not accepted.';
}

/** Shows the stored messages. Returns whether one of them waits for its answer. */
async function load(): Promise<boolean> {
  const loaded = conversation;
  const response = await fetch(`${base}/conversation`, { headers: { 'X-Conversation': loaded } });
  if (!response.ok) {
    notice.textContent = await reasonOf(response);
    return false;
  }
  const { title, greeting, messages } = (await response.json()) as {
    title: string;
    greeting: string;
    messages: Message[];
  };
  // The visitor began another conversation during the request.
  if (loaded !== conversation) return false;
  document.title = title;
  byId('title').textContent = title;
  if (list.childElementCount === 0 && greeting !== '') addItem('answered', greeting);
  for (const message of messages) show(message);
  form.hidden = false;
  restart.hidden = false;
  return messages.some(({ state }) => state === 'pending');
}

/** Loads the messages until none waits for its answer, or until another conversation begins. */
async function poll(): Promise<void> {
  const polled = conversation;
  while (polled === conversation && (await load().catch(() => true)))
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
}

/** Sends the next message and shows its answer. Returns whether the answer has to be read later. */
async function exchange(): Promise<boolean> {
  const current = conversation;
  const body = JSON.stringify({ conversation_id: current, message_id: next.id, text: next.text });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${base}/messages`, { method: 'POST', headers, body });
  if (!response.ok || !response.body) {
    notice.textContent = await reasonOf(response);
    return false;
  }
  let last: Message | undefined;
  for await (const { event, data } of eventsOf(response.body)) {
    // The visitor began another conversation: its list must not show these messages.
    if (current !== conversation) return false;
    if (event === 'step') {
      const item = last && answers.get(last.id);
      if (item) item.textContent = `${(data as { label: string }).label} …`;
      continue;
    }
    last = data as Message;
    show(last);
    if (event !== 'message') continue;
    next = { id: newId(), text: '' };
    text.value = '';
  }
  return last?.state !== 'answered' && last?.state !== 'failed';
}

form.addEventListener('submit', async event => {
  event.preventDefault();
  const written = text.value.trim();
  if (written === '' || send.disabled) return;
  if (written !== next.text) next = { id: newId(), text: written };
  notice.textContent = '';
  send.disabled = true;
  let isOpen = false;
  try {
    isOpen = await exchange();
  } catch {
    notice.textContent = 'The connection was lost.';
    isOpen = true;
  }
  send.disabled = false;
  if (isOpen) await poll();
  else text.focus();
});

text.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});

restart.addEventListener('click', () => {
  conversation = storeConversation(newId());
  // The service may have accepted the message for the earlier conversation.
  next = { id: newId(), text: '' };
  answers.clear();
  list.replaceChildren();
  notice.textContent = '';
  void poll();
});

void poll();
