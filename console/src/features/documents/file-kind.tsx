import {
  IconFile,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconFileWord,
  IconPhoto,
  IconPresentation,
} from '@/icons';
import type { TYPES } from './routes';

type Kind = (typeof TYPES)[number];

const OFFICE = 'application/vnd.openxmlformats-officedocument.';

/** The media type of each kind of file, or a prefix of it. Also filters the list: the service compares prefixes. */
export const CONTENT_TYPES: Record<Kind, string> = {
  pdf: 'application/pdf',
  image: 'image/',
  word: `${OFFICE}wordprocessingml.document`,
  sheet: `${OFFICE}spreadsheetml.sheet`,
  slides: `${OFFICE}presentationml.presentation`,
  text: 'text/',
};

export const KIND_LABELS: Record<Kind, string> = {
  pdf: 'PDF',
  image: 'Images',
  word: 'Word',
  sheet: 'Excel',
  slides: 'PowerPoint',
  text: 'Text',
};

const ICONS: Record<Kind, typeof IconFile> = {
  pdf: IconFileTypePdf,
  image: IconPhoto,
  word: IconFileWord,
  sheet: IconFileSpreadsheet,
  slides: IconPresentation,
  text: IconFileText,
};

function kindOf(contentType: string): Kind | null {
  const found = Object.entries(CONTENT_TYPES).find(([, type]) => contentType.startsWith(type));
  return (found?.[0] as Kind | undefined) ?? null;
}

export function FileIcon({ contentType }: { contentType: string }) {
  const kind = kindOf(contentType);
  const Icon = kind === null ? IconFile : ICONS[kind];
  return <Icon size={20} stroke={1.5} style={{ flex: 'none', color: 'var(--mantine-color-dimmed)' }} aria-hidden />;
}
