import { beforeAll, describe, expect, it } from '@jest/globals';
import { eld } from 'eld/extrasmall';
import { type DetectLanguage, LANGUAGES, MAX_EXAMINED } from '../../src/engine/scenario/languages.js';
import { languages } from '../../src/providers/text/languages.js';
import { readPage } from '../support/readme/readme.js';

let detect: DetectLanguage;
beforeAll(async () => {
  detect = await languages.loadDetector();
});

describe('the language of a short text is recognised', () => {
  it.each([
    ['en', 'The parcel has not arrived yet.'],
    ['en', 'How can I change my password?'],
    ['de', 'Das Paket ist noch nicht angekommen.'],
    ['de', 'Guten Tag'],
    ['fr', 'Comment puis-je changer mon mot de passe ?'],
    ['es', 'Me gustaría cancelar mi pedido.'],
    ['it', 'Il nostro ufficio è chiuso il lunedì.'],
    ['pt', 'O pacote ainda não chegou.'],
    ['nl', 'Hartelijk dank voor uw snelle antwoord'],
    ['pl', 'Paczka jeszcze nie dotarła.'],
    ['sv', 'Hur kan jag ändra mitt lösenord?'],
    ['da', 'Svaret på dit spørgsmål er ja.'],
    ['cs', 'Balík ještě nedorazil.'],
    ['tr', 'Siparişimi iptal etmek istiyorum.'],
    ['ru', 'Большое спасибо за быстрый ответ'],
    ['uk', 'Посилка ще не прийшла.'],
    ['ja', '荷物はまだ届いていません。'],
    ['zh', '包裹还没有到。'],
    ['ko', '빠른 답변 감사합니다'],
    ['ar', 'كيف يمكنني تغيير كلمة المرور؟'],
  ])('%s: %s', (code, text) => {
    expect(detect(text)).toBe(code);
    expect(
      detect(`\n\n${' '.repeat(2_000)}See https://example.com/a/long/path?q=1 \n${text} user@example.com 42\n`),
    ).toBe(code);
  });
});

it.each(['', ' \n', 'ok', 'x', '123 456', 'https://example.com/about-us', 'info@example.com', '[1, 2]', '😀 👍'])(
  'the language of %j is not recognised',
  text => {
    expect(detect(text)).toBe('');
  },
);

it('examines only the beginning of a text', () => {
  const english = 'The parcel has not arrived yet. '.repeat(16).slice(0, MAX_EXAMINED);
  expect(detect(english + 'Das Paket ist noch nicht angekommen. '.repeat(1_000))).toBe('en');
});

it('has exactly the languages that values of conditions may name, and the page about scenarios lists them', () => {
  expect(Object.values(eld.info().Languages).toSorted()).toEqual(LANGUAGES);
  expect(readPage('docs/scenarios.md')).toContain(`\n${LANGUAGES.join(' ')}\n`);
});
