import { createRequire } from 'node:module';
import path from 'node:path';
import { createWorker, OEM } from 'tesseract.js';

/** Recognizes text in Latin letters with the English model. The model is part of the package, so nothing is downloaded. */
export async function imageText(bytes: Buffer): Promise<string> {
  const require = createRequire(import.meta.url);
  const folder = path.dirname(require.resolve('@tesseract.js-data/eng/package.json'));
  const worker = await createWorker('eng', OEM.LSTM_ONLY, {
    langPath: path.join(folder, '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    errorHandler: () => {},
  });
  try {
    const { data } = await worker.recognize(bytes);
    return data.text;
  } finally {
    await worker.terminate();
  }
}
