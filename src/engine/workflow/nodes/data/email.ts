import { z } from 'zod';
import { type MailAddress, parseAddress, splitAddresses } from '../../../email/address.js';
import { parseMailUrl } from '../../../email/url.js';
import { loadFiles } from '../../../files/load-files.js';
import { fileSetting } from '../../../files/reference.js';
import type { JsonObject } from '../../../json-value.js';
import { PortError } from '../../../ports.js';
import { type KindFault, nodeKind, oneOutput } from '../../graph/node-kind.js';
import type { SettingMode } from '../../graph/settings.js';
import {
  addressReference,
  connectionField,
  connectionReferences,
  connectionSetting,
  serverChoiceFaults,
} from './connection.js';

const MAX_RECIPIENTS = 50;
const MAX_ATTACHMENTS = 10;
const MAX_TEXT = 1_000_000;
/** Characters of a wrong address in an error. */
const MAX_SHOWN = 100;
const CONNECTION_FORM =
  'must be an address of a mail server, such as smtps://user:password@smtp.example.com:465 or smtp://user:password@smtp.example.com:587';

const recipients = (setting: SettingMode) =>
  setting.value(z.union([z.string().max(4000), z.array(z.string().min(3).max(320)).max(MAX_RECIPIENTS)])).nullish();

export const email = nodeKind({
  type: 'email-node',
  nodeType: 'EmailNode',
  title: 'Email',
  description: 'Sends an email over SMTP. The content is a JSON object with the id of the message and its recipients.',
  category: 'integration',
  effects: 'external',
  outputs: oneOutput,
  defaults: {
    connection: '{{ env.SMTP }}',
    from: 'Support <support@example.com>',
    to: '{{ input.email }}',
    subject: 'Hello',
    text: '{{ previous.content }}',
  },
  form: {
    icon: 'mail',
    color: '#0891b2',
    fields: {
      connection_id: connectionField,
      connection: { title: 'Mail server', widget: 'text', group: 'request', isSecret: true },
      from: { title: 'From', widget: 'text', group: 'request' },
      to: { title: 'To', widget: 'text', group: 'request' },
      subject: { title: 'Subject', widget: 'text', group: 'request' },
      text: { title: 'Text', widget: 'textarea', group: 'request' },
      html: { title: 'HTML', widget: 'textarea', group: 'advanced' },
      cc: { title: 'Copy to', widget: 'text', group: 'advanced' },
      bcc: { title: 'Hidden copy to', widget: 'text', group: 'advanced' },
      reply_to: { title: 'Reply to', widget: 'text', group: 'advanced' },
      attachments: { title: 'Attachments', widget: 'json', group: 'advanced' },
    },
    content: {
      sample: '{"message_id": "<0b0d4a3e@scenarium>", "accepted": ["ada@example.com"], "rejected": []}',
      schema: {
        type: 'object',
        properties: {
          message_id: { type: 'string', description: 'The `Message-ID`, equal for all attempts of the node.' },
          accepted: {
            type: 'array',
            description: 'Recipients that the server accepted.',
            items: { type: 'string' },
          },
          rejected: {
            type: 'array',
            description: 'Recipients that the server rejected.',
            items: { type: 'string' },
          },
        },
      },
    },
  },
  settings: setting =>
    z.looseObject({
      connection: setting
        .text(
          z
            .string()
            .max(4000)
            .refine(text => text === '' || text.includes('{{') || parseMailUrl(text) !== undefined, CONNECTION_FORM),
        )
        .nullish()
        .describe(
          'Mail server, at most 4000 characters; normally a secret project variable such as `{{ env.SMTP }}`. `smtps://user:password@host:465` uses TLS, `smtp://user:password@host:587` requires STARTTLS; with `?tls=none` nothing is encrypted. Required without `connection_id`.',
        ),
      connection_id: connectionSetting(setting, 'email'),
      from: setting.text(z.string().min(3).max(320)).describe('Sender, such as `Support <support@example.com>`.'),
      to: recipients(setting).describe(
        'Recipients: a text with addresses separated by commas, or a list with one address in each text, at most 50; such as `ann@example.com` or `"Doe, Ann" <ann@example.com>`. At least one recipient is required. Default: none.',
      ),
      cc: recipients(setting).describe('Recipients of a copy, as `to`. Default: none.'),
      bcc: recipients(setting).describe('Recipients of a hidden copy, as `to`. Default: none.'),
      reply_to: setting
        .text(z.string().max(320))
        .nullish()
        .describe('Address for answers. Default: that of the sender.'),
      subject: setting.text(z.string().max(998)).nullish().describe('Subject, at most 998 characters. Default: empty.'),
      text: setting
        .text(z.string().max(MAX_TEXT))
        .nullish()
        .describe('Plain text, at most 1000000 characters. Default: empty, or none if there is `html`.'),
      html: setting
        .text(z.string().max(MAX_TEXT))
        .nullish()
        .describe('HTML, at most 1000000 characters; values in it are not escaped. Default: none.'),
      attachments: setting
        .value(z.array(setting.value(fileSetting)).max(MAX_ATTACHMENTS))
        .nullish()
        .describe('Attached files, at most 10 and together 16 MiB: file references or ids. Default: none.'),
    }),
  references: data => [...addressReference(data), ...connectionReferences(data, 'email')],
  check: data => [...serverChoiceFaults(data), ...addressFaults(data)],
  execute: async ({ settings, ports, call }) => {
    const { connection, connection_id, subject, text, html } = settings;
    const recipients = {
      to: toAddresses(settings, 'to'),
      cc: toAddresses(settings, 'cc'),
      bcc: toAddresses(settings, 'bcc'),
    };
    const count = recipients.to.length + recipients.cc.length + recipients.bcc.length;
    if (count === 0 || count > MAX_RECIPIENTS)
      throw new PortError('invalid_recipients', `an email has 1-${MAX_RECIPIENTS} recipients in to, cc and bcc`, {
        isFinal: true,
      });
    const receipt = await ports.email.send(
      {
        connection: connection ?? '',
        from: toAddress(settings.from, 'from', 'invalid_sender'),
        ...recipients,
        ...(connection_id ? { connectionId: connection_id } : {}),
        replyTo: settings.reply_to ? toAddress(settings.reply_to, 'reply_to', 'invalid_sender') : null,
        subject: subject ?? '',
        text: text ?? (html ? null : ''),
        html: html || null,
        attachments: await loadFiles(settings.attachments ?? [], ports.files, 'attachments'),
      },
      call,
    );
    const { messageId, accepted, rejected } = receipt;
    return { content: JSON.stringify({ message_id: messageId, accepted, rejected }) };
  },
});

const RECIPIENTS = ['to', 'cc', 'bcc'] as const;

function toAddresses(settings: JsonObject, member: (typeof RECIPIENTS)[number]): MailAddress[] {
  return entriesOf(settings, member).map(([path, text]) => toAddress(text, path, 'invalid_recipients'));
}

/** Returns the texts of a list of recipients with their paths, such as `to.1`. */
function entriesOf(data: JsonObject, member: string): [string, string][] {
  const value = data[member];
  if (typeof value === 'string') {
    const texts = splitAddresses(value);
    return texts.map((text, index) => [texts.length === 1 ? member : `${member}.${index}`, text]);
  }
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list
    .map((text, index): [string, string] => [`${member}.${index}`, String(text)])
    .filter(([, text]) => text.trim() !== '');
}

function toAddress(text: string, path: string, code: string): MailAddress {
  const address = parseAddress(text);
  if (!address) throw new PortError(code, `${path} ${notAddress(text)}`, { isFinal: true });
  return address;
}

function notAddress(text: string): string {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text;
  return `${JSON.stringify(shown)} is not an email address`;
}

/** Returns the constant texts that are not addresses. */
function addressFaults(data: JsonObject): KindFault[] {
  const single = ['from', 'reply_to'].flatMap((member): [string, string][] => {
    const value = data[member];
    return typeof value === 'string' && value !== '' ? [[member, value]] : [];
  });
  return [...single, ...RECIPIENTS.flatMap(member => entriesOf(data, member))]
    .filter(([, text]) => !text.includes('{{') && !parseAddress(text))
    .map(([path, text]) => ({ path, message: notAddress(text) }));
}
