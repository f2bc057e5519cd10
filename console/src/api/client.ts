import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { from, mergeMap } from 'rxjs';
import { credentials, endLocally, isRenewable, onSessionChange, renewSession } from '@/session/session';
import { offerSignIn, withdrawSignIn } from '@/session/session-end';
import { hasUnsavedWork } from '@/session/unsaved-work';
import { onConnectionChange, reportRequest, reportSocket } from './connection';
import { noteRequestId, problemOf } from './errors';

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
const PING_MS = 8_000;
/** How long the service may take to accept a socket or to answer a ping. */
const ANSWER_MS = 8_000;
/** Longer than any deadline of the service. */
const REQUEST_MS = 70_000;

// A lost network path sends neither bytes nor a close, and graphql-ws does not wait for the answers to its pings.
let answerTimer: ReturnType<typeof setTimeout> | undefined;
const stopWaiting = () => clearTimeout(answerTimer);
function awaitAnswer(): void {
  stopWaiting();
  answerTimer = setTimeout(() => socket.terminate(), ANSWER_MS);
}

/** Subscriptions of the screen. */
let subscriptions = 0;

const socket = createClient({
  url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
  // Read at each connection, so that a reconnection uses a fresh access token.
  connectionParams: credentials,
  lazy: true,
  keepAlive: PING_MS,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: retries => {
    const delay = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** retries);
    return new Promise(resolve => setTimeout(resolve, delay));
  },
  on: {
    connecting: awaitAnswer,
    connected: () => {
      stopWaiting();
      reportSocket(true);
    },
    ping: wasReceived => {
      if (!wasReceived) awaitAnswer();
    },
    message: stopWaiting,
    closed: event => {
      stopWaiting();
      // A socket that was closed on purpose is not lost, nor one that no subscription needs: it is not opened again.
      const { wasClean, code } = event as CloseEvent;
      reportSocket(wasClean || code === 1000 || subscriptions === 0);
    },
  },
});

const addCredentials = new SetContextLink(async ({ headers }) => ({
  headers: { ...(headers as Record<string, string> | undefined), ...(await credentials()) },
}));

const isMutation = ({ operationType }: ApolloLink.Operation) => operationType === OperationTypeNode.MUTATION;

/** Leaves the screen, unless that would lose input: that of a mutation, or unsaved edits. A key has no session to return to. */
function endSession(operation: ApolloLink.Operation): void {
  if (isRenewable() && (isMutation(operation) || hasUnsavedWork())) offerSignIn();
  else endLocally('Your session has ended. Sign in again.');
}

/** Repeats a refused operation once with the session of the cookie, which another tab may have renewed or opened. */
const renewRefused = new ErrorLink(({ error, operation, forward }) => {
  if (problemOf(error).code !== 'UNAUTHENTICATED' || !isRenewable()) return;
  return from(renewSession()).pipe(
    mergeMap(isRenewed => {
      if (!isRenewed) {
        endSession(operation);
        throw new Error('Your session has ended.');
      }
      withdrawSignIn();
      return forward(operation);
    }),
  );
});

const reportErrors = new ErrorLink(({ error, operation }) => {
  const { response } = operation.getContext() as { response?: Response };
  noteRequestId(error, response?.headers.get('x-request-id') ?? null);
  if (response === undefined && !CombinedGraphQLErrors.is(error)) reportRequest(false);
  // A mutation that signs in answers UNAUTHENTICATED for an invalid link, which does not end the session.
  if (problemOf(error).code === 'UNAUTHENTICATED' && !isMutation(operation)) endSession(operation);
});

const http = new HttpLink({
  uri: '/graphql',
  fetch: async (input, init) => {
    const deadline = AbortSignal.timeout(REQUEST_MS);
    const signal = init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    const response = await fetch(input, { ...init, signal });
    reportRequest(true);
    return response;
  },
});

/** Counts subscriptions. After the last one nothing opens a lost socket again, so it no longer counts as lost. */
const countLink = new ApolloLink(
  (operation, forward) =>
    new Observable(observer => {
      subscriptions++;
      const subscription = forward(operation).subscribe(observer);
      return () => {
        subscription.unsubscribe();
        subscriptions--;
        if (subscriptions === 0) reportSocket(true);
      };
    }),
);

/**
 * The socket sends a subscription again after a reconnection. `resume` in the context of an operation returns the
 * variables that have changed since, for example the last received sequence number. graphql-ws serializes the variables
 * at each sending, which calls `toJSON`.
 */
const resumeLink = new ApolloLink((operation, forward) => {
  const { resume } = operation.getContext() as { resume?: () => Record<string, unknown> };
  const { variables } = operation;
  if (resume) operation.variables = { toJSON: () => ({ ...variables, ...resume() }) };
  return forward(operation);
});

/**
 * The cache is the only store of server data. Lists are shown from the cache and requested again, so that a screen
 * that was open before appears at once.
 */
export const client = new ApolloClient({
  cache: new InMemoryCache({
    typePolicies: {
      NodeKind: { keyFields: ['type'] },
      McpServerTool: { keyFields: ['workflowId'] },
      // These objects have no id, so the fields that different screens request of one object are merged.
      ProjectMemberPage: { merge: true },
      ProjectBudget: { merge: true },
      Money: { merge: true },
      NodeUiHints: { merge: true },
    },
  }),
  link: ApolloLink.from([
    reportErrors,
    ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      ApolloLink.from([countLink, resumeLink, new GraphQLWsLink(socket)]),
      ApolloLink.from([renewRefused, addCredentials, http]),
    ),
  ]),
  defaultOptions: {
    watchQuery: { fetchPolicy: 'cache-and-network', nextFetchPolicy: 'cache-first' },
  },
});

// After a reconnect, active queries are requested again, because changes may have been missed.
let wasLost = false;
onConnectionChange(connection => {
  if (connection !== 'online') wasLost = true;
  else if (wasLost) {
    wasLost = false;
    client.refetchQueries({ include: 'active' }).catch(() => undefined);
  }
});

/** Nothing that one user loaded is shown to the next. */
onSessionChange(() => {
  client.clearStore().catch(() => undefined);
  socket.terminate();
});

/** Interval between two probes, and the time that each may take. */
const PROBE_MS = 3_000;

// A lost request is followed by probes, because a screen that loads nothing would stay "reconnecting".
onConnectionChange(connection => {
  if (connection !== 'reconnecting') return;
  const timer = setInterval(async () => {
    const isReady = await fetch('/healthz', { signal: AbortSignal.timeout(PROBE_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isReady) return;
    clearInterval(timer);
    reportRequest(true);
  }, PROBE_MS);
});
