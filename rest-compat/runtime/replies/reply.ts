import type { ServerResponse } from 'node:http';
import type { Route } from '../route.js';

/** Sends the value under the alias `body`. */
export type Reply = (res: ServerResponse, route: Route, value: unknown) => void;
