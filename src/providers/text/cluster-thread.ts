import { parentPort, workerData } from 'node:worker_threads';
import { type Clusterable, clustersOf } from '../../engine/text/cluster.js';
import { selectStopwords } from '../../engine/text/stopwords.js';
import { stoplists } from './stoplists.js';

const keywords = workerData as Clusterable[];
const stopwords = selectStopwords(keywords.map(({ name }) => name).join('\n'), stoplists());
parentPort!.postMessage(clustersOf(keywords, stopwords));
