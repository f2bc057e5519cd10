import { z } from 'zod';
import { type FileSetting, fileIdOfSetting, fileSetting } from '../../../files/reference.js';
import { isObject, type JsonObject } from '../../../json-value.js';
import { type ChatMessage, PortError } from '../../../ports.js';
import type { NodeReference } from '../../graph/node-kind.js';
import type { SettingMode } from '../../graph/settings.js';

const MAX_IMAGES = 16;
/** How the address of an image may begin. */
const PREFIXES = [
  'https://',
  'http://',
  'data:image/png;base64,',
  'data:image/jpeg;base64,',
  'data:image/gif;base64,',
  'data:image/webp;base64,',
];

/** The images of a message. */
export const imagesMember = (setting: SettingMode) =>
  setting
    .value(z.array(z.string().min(1)).max(MAX_IMAGES))
    .nullish()
    .describe(
      'Images for a model that sees images, at most 16: addresses that the provider loads, or `data` URLs of PNG, JPEG, GIF or WebP in base64. Default: none.',
    );

/** Returns the references to the hosts from which the provider loads the images of messages. */
export function imageHosts({ messages }: JsonObject): NodeReference[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message, index) => {
    const images = isObject(message) ? message.images : undefined;
    const path = `messages.${index}.images`;
    // A placeholder for the whole list contains the addresses.
    const addresses = Array.isArray(images)
      ? images.map((value, at) => ({ path: `${path}.${at}`, value }))
      : [{ path, value: images }];
    return addresses
      .filter(({ value }) => typeof value === 'string' && value !== '' && !value.startsWith('data:'))
      .map((address): NodeReference => ({ kind: 'host', ...address }));
  });
}

/** The files of a message. */
export const filesMember = (setting: SettingMode) =>
  setting
    .value(z.array(setting.value(fileSetting)).max(MAX_IMAGES))
    .nullish()
    .describe(
      'Files for a model that reads them: PNG, JPEG, GIF and WebP images and PDF documents, at most 16 and together 16 MiB, as file references or ids. Default: none.',
    );

/** Returns files as a part of a message. */
export function messageFiles(files: readonly FileSetting[] | null | undefined): Pick<ChatMessage, 'fileIds'> {
  return files && files.length > 0 ? { fileIds: files.map(fileIdOfSetting) } : {};
}

/** Checks images and returns them as a part of a message. Throws a PortError. */
export function messageImages(images: readonly string[] | null | undefined): Pick<ChatMessage, 'images'> {
  if (!images || images.length === 0) return {};
  const wrong = images.findIndex(image => !PREFIXES.some(prefix => image.startsWith(prefix)));
  if (wrong === -1) return { images };
  throw new PortError(
    'invalid_image',
    `images.${wrong} must be an http or https address, or a data URL of a PNG, JPEG, GIF or WebP image in base64`,
  );
}
