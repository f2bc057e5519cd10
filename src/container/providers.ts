import { TickBarrier } from '../fast-lane/tick-barrier.js';
import type { Config } from '../platform/config/config.js';
import { createOutbound } from '../platform/outbound/outbound.js';
import { createSocketOpener } from '../platform/outbound/socket.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import { createDatabaseCaller } from '../providers/database.js';
import { createEmailSender } from '../providers/email.js';
import { createExternalIssuer } from '../providers/external-issuer.js';
import { createHttpCaller } from '../providers/http.js';
import { createLanguageModels } from '../providers/llm/registry.js';
import { createMcpCaller } from '../providers/mcp.js';
import { createOpenIdConnect } from '../providers/open-id-connect.js';
import { createSandbox } from '../providers/sandbox.js';
import { tracedHttp, tracedMcp } from '../providers/traced-calls.js';

/**
 * Creates the outbound clients and the providers that use them. `outbound` calls addresses that users name. `trusted`
 * calls addresses that the operator configured.
 */
export function createProviders(config: Config, telemetry: Telemetry) {
  const { log, metrics } = telemetry;
  const barrier = new TickBarrier();
  const outbound = createOutbound({ allow: config.outboundAllow, barrier });
  const mcp = tracedMcp(createMcpCaller(outbound), telemetry);
  const http = tracedHttp(createHttpCaller(outbound), telemetry);
  const openSocket = createSocketOpener({ allow: config.outboundAllow });
  const databases = createDatabaseCaller(openSocket);
  const email = createEmailSender(openSocket);
  const trustedEmail = createEmailSender(createSocketOpener({ allow: [], trusted: true }));
  // Each stream of the chat proxy holds a connection of its own.
  const connections = config.maxRequestsInFlight;
  const trusted = createOutbound({ allow: [], trusted: true, connections, barrier });
  const models = createLanguageModels({
    ...config,
    outbound: trusted,
    guarded: createOutbound({ allow: config.outboundAllow, connections, barrier }),
    retry: config.providerRetry,
    concurrency: config.providerConcurrency,
    projectConcurrency: config.providerProjectConcurrency,
    chatConcurrency: connections,
    gauges: { model: metrics.slotGauge('model'), chat: metrics.slotGauge('chat') },
    telemetry,
  });
  const issuer = config.issuer ? createExternalIssuer(config.issuer, trusted, log) : null;
  const openIdConnect = config.oidc ? createOpenIdConnect(config.oidc, trusted, log) : null;
  const sandbox = createSandbox({ maxMs: config.codeMaxSeconds * 1000, gauge: metrics.slotGauge('script') });
  return { outbound, trusted, mcp, http, databases, email, trustedEmail, models, issuer, openIdConnect, sandbox };
}
