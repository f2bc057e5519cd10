import type { DocumentFiles } from '../modules/documents/document-files.js';
import type { FileLinks } from '../modules/documents/file-links.js';
import type { ProjectStorage } from '../modules/documents/project-storage.js';
import type { ProviderKeyService } from '../modules/provider-keys/provider-key.service.js';
import { RunImages } from '../modules/scenario-runs/execution/run-images.js';
import type { Config } from '../platform/config/config.js';
import { SlotGauge, type SlotKind, slotReadings } from '../platform/metrics/slot-gauge.js';
import { createOutbound, type Outbound } from '../platform/outbound/outbound.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import { createExternalIssuer } from '../providers/external-issuer.js';
import { createHttpCaller } from '../providers/http.js';
import { createImageProvider, type ImageProvider } from '../providers/images.js';
import { createLanguageModels, OPENAI_URL } from '../providers/llm/registry.js';
import { createMcpCaller } from '../providers/mcp.js';
import { createSandbox } from '../providers/sandbox.js';
import type { Spool } from '../providers/storage/spool.js';
import { watchedHttp, watchedMcp } from '../providers/watched-calls.js';

/** The ways out of the process: to what users name, by a client that guards every address, and to what the operator did. */
export function openWorld(config: Config, telemetry: Telemetry) {
  const { log, metrics } = telemetry;
  const gaugeOf = (kind: SlotKind) => new SlotGauge(kind, metrics);
  const slots = { script: gaugeOf('script'), model: gaugeOf('model'), chat: gaugeOf('chat') };
  const outbound = createOutbound({ allow: config.outboundAllow });
  const mcp = watchedMcp(createMcpCaller(outbound), telemetry);
  const http = watchedHttp(createHttpCaller(outbound), telemetry);
  // Each stream of the chat proxy holds a connection of its own.
  const connections = config.maxRequestsInFlight;
  const trusted = createOutbound({ allow: [], trusted: true, connections });
  const models = createLanguageModels({
    ...config,
    outbound: trusted,
    guarded: createOutbound({ allow: config.outboundAllow, connections }),
    retry: config.providerRetry,
    concurrency: config.providerConcurrency,
    projectConcurrency: config.providerProjectConcurrency,
    chatConcurrency: connections,
    gauges: slots,
    telemetry,
  });
  const issuer = config.issuer ? createExternalIssuer(config.issuer, trusted, log) : null;
  const sandbox = createSandbox({ maxMs: config.codeMaxSeconds * 1000, gauge: slots.script });
  return { outbound, trusted, mcp, http, models, issuer, sandbox, slots: slotReadings(Object.values(slots)) };
}

export interface ImagesParts {
  spool: Spool;
  trusted: Outbound;
  outbound: Outbound;
  files: DocumentFiles;
  links: FileLinks;
  projectStorage: ProjectStorage;
  providerKeys: ProviderKeyService;
}

/** Images are made with the project's own key before the service's, as models are asked. */
export function imagesOf({ openai, maxUploadBytes, publicUrl }: Config, parts: ImagesParts): RunImages {
  const { spool, trusted, outbound, files, links, projectStorage, providerKeys } = parts;
  const providerFor = async (projectId: number): Promise<ImageProvider | null> => {
    const own = (await providerKeys.openOf(projectId)).find(({ provider }) => provider === 'openai');
    const { baseUrl = OPENAI_URL, apiKey } = openai;
    const shared = { outbound, maxBytes: maxUploadBytes };
    if (own?.baseUrl) {
      const upstream = { baseUrl: own.baseUrl, apiKey: own.apiKey, upstream: outbound };
      return createImageProvider({ ...shared, ...upstream, isOwn: true });
    }
    if (!own && !openai.baseUrl && !apiKey) return null;
    const upstream = { baseUrl, apiKey: own?.apiKey ?? apiKey, upstream: trusted };
    return createImageProvider({ ...shared, ...upstream, isOwn: own !== undefined });
  };
  return new RunImages(providerFor, spool, files, links, projectStorage, publicUrl);
}
