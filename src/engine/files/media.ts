import type { JsonObject } from '../json-value.js';

/** A recording of speech that a model transcribes. */
export interface SpeechRecording {
  name: string;
  contentType: string;
  bytes: Uint8Array;
}

/**
 * A request to create an image or speech from the texts of the messages, or to transcribe speech. `options` are members of
 * the request with the names of OpenAI's API.
 */
export type MediaRequest =
  | { kind: 'image'; options: JsonObject }
  | { kind: 'speech'; options: JsonObject }
  | { kind: 'transcription'; options: JsonObject; recording: SpeechRecording };
