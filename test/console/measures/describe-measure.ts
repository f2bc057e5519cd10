import { describe } from '@jest/globals';
import { describeInBrowser, isConsoleSuite } from '../../pages/browser.js';

/** Like `describeInBrowser`. `npm test` leaves measures out, because they take minutes. */
export const describeMeasure = isConsoleSuite ? describeInBrowser : describe.skip;
