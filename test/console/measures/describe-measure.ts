import { describe } from '@jest/globals';
import { describeInBrowser } from '../../pages/browser.js';

/** Like `describeInBrowser`. `npm test` leaves measures out, because they take minutes. */
export const describeMeasure = process.env.CONSOLE_TEST === 'all' ? describeInBrowser : describe.skip;
