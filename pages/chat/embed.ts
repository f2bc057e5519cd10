/**
 * Adds a button to a page, which opens the chat in a frame: `<script src="https://…/chats/…/embed.js" async></script>`. The attributes
 * `data-label` and `data-color` change the name and the color of the button.
 */

/** Close to the largest z-index, 2^31 - 1, so that the chat is in front of the page. */
const TOP_LAYER = '2147483000';

const script = document.currentScript as HTMLScriptElement | null;
if (script) {
  // The address of the chat is that of the script without /embed.js.
  const add = () => addChat(new URL('.', script.src).href.slice(0, -1), script.dataset);
  if (document.body) add();
  else addEventListener('DOMContentLoaded', add);
}

function addChat(address: string, { label = 'Chat', color = '#1864ab' }: DOMStringMap): void {
  const host = document.createElement('div');
  // Styles of the page do not reach the button.
  const root = host.attachShadow({ mode: 'open' });
  const button = root.appendChild(document.createElement('button'));
  button.type = 'button';
  button.ariaLabel = label;
  button.ariaExpanded = 'false';
  style(button, {
    position: 'fixed',
    right: '20px',
    bottom: '20px',
    zIndex: TOP_LAYER,
    width: '56px',
    height: '56px',
    border: '0',
    borderRadius: '50%',
    background: color,
    color: '#fff',
    font: '24px/1 system-ui',
    cursor: 'pointer',
    boxShadow: '0 2px 12px rgb(0 0 0 / 30%)',
  });
  let frame: HTMLIFrameElement | undefined;
  const draw = (isOpen: boolean) => {
    button.textContent = isOpen ? '✕' : '💬';
    button.ariaExpanded = String(isOpen);
    if (frame) frame.style.display = isOpen ? 'block' : 'none';
  };
  button.addEventListener('click', () => {
    frame ??= root.appendChild(createFrame(address, label));
    draw(button.ariaExpanded !== 'true');
  });
  draw(false);
  document.body.append(host);
}

function createFrame(address: string, label: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.src = address;
  frame.title = label;
  style(frame, {
    position: 'fixed',
    right: '20px',
    bottom: '88px',
    zIndex: TOP_LAYER,
    border: '0',
    borderRadius: '12px',
    width: 'min(400px, calc(100vw - 40px))',
    height: 'min(600px, calc(100vh - 108px))',
    background: '#fff',
    boxShadow: '0 4px 24px rgb(0 0 0 / 30%)',
  });
  return frame;
}

function style(element: HTMLElement, rules: Partial<CSSStyleDeclaration>): void {
  Object.assign(element.style, rules);
}

export {};
