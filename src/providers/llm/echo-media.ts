import type { MediaRequest, SpeechRecording } from '../../engine/files/media.js';
import type { ModelAnswer } from '../../engine/ports.js';

/** A PNG image of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const SAMPLE_RATE = 8_000;
/** A tenth of a second. */
const SAMPLES = SAMPLE_RATE / 10;
/** The middle of the range of unsigned 8-bit samples. */
const SILENT_SAMPLE = 128;
const HEADER_BYTES = 44;
/** Ids of the chunk that contains the text of created speech. */
const LIST = 'LIST';
const COMMENT = 'INFOICMT';

/**
 * The media of the built-in model: an image of one pixel, and a short silence whose comment is the text. The transcript of its own
 * speech is that text, and that of any other recording is its name.
 */
export function echoMedia(media: MediaRequest, prompt: string): Pick<ModelAnswer, 'text' | 'bytes'> {
  if (media.kind === 'image') return { text: '', bytes: PIXEL };
  if (media.kind === 'speech') return { text: '', bytes: silence(prompt) };
  const text = commentOf(media.recording);
  const duration = SAMPLES / SAMPLE_RATE;
  return { text: JSON.stringify({ text, duration, segments: [{ id: 0, start: 0, end: duration, text }] }) };
}

/** A WAV file of 8-bit PCM with a comment (RIFF INFO). */
function silence(comment: string): Buffer {
  const text = Buffer.from(`${comment}\0`, 'utf8');
  const padded = text.length + (text.length % 2);
  const list = Buffer.alloc(8 + COMMENT.length + 4 + padded);
  list.write(LIST, 0, 'latin1');
  list.writeUInt32LE(list.length - 8, 4);
  list.write(COMMENT, 8, 'latin1');
  list.writeUInt32LE(text.length, 8 + COMMENT.length);
  text.copy(list, 8 + COMMENT.length + 4);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + SAMPLES + list.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  // The format: a chunk of 16 bytes, PCM, one channel, samples and bytes per second, 1 byte per sample, 8 bits.
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(SAMPLES, 40);
  return Buffer.concat([header, Buffer.alloc(SAMPLES, SILENT_SAMPLE), list]);
}

function commentOf({ name, bytes }: SpeechRecording): string {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = content.indexOf(COMMENT, 0, 'latin1');
  if (at === -1) return name;
  const start = at + COMMENT.length + 4;
  const end = content.indexOf(0, start);
  return content.toString('utf8', start, end === -1 ? content.length : end);
}
