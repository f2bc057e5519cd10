import type { Config } from '../../../platform/config/config.js';
import type { Database } from '../../../platform/database/database.js';
import type { Outbound } from '../../../platform/outbound/outbound.js';
import { createImageProvider, type ImageProvider } from '../../../providers/images.js';
import { openai as openaiDialect } from '../../../providers/llm/openai/index.js';
import type { Spool } from '../../../providers/storage/spool.js';
import type { DocumentFiles } from '../../documents/document-files.js';
import type { FileLinks } from '../../documents/file-links.js';
import type { ProjectStorage } from '../../documents/project-storage.js';
import type { ProviderKeyService } from '../../provider-keys/provider-key.service.js';
import { RunImages } from './run-images.js';

export interface RunImagesParts {
  database: Database;
  spool: Spool;
  trusted: Outbound;
  outbound: Outbound;
  files: DocumentFiles;
  links: FileLinks;
  projectStorage: ProjectStorage;
  providerKeys: ProviderKeyService;
}

/** Creates the image port of scenario runs. A project's own OpenAI key takes precedence over the service's key. */
export function createRunImages({ openai, maxUploadBytes, publicUrl }: Config, parts: RunImagesParts): RunImages {
  const { database, spool, trusted, outbound, files, links, projectStorage, providerKeys } = parts;
  const providerFor = async (projectId: number): Promise<ImageProvider | null> => {
    const own = (await providerKeys.decryptAll(projectId)).find(({ provider }) => provider === 'openai');
    const { baseUrl = openaiDialect.ownUrl, apiKey } = openai;
    const shared = { outbound, maxBytes: maxUploadBytes };
    // An address from a project is not trusted, so its requests have the checks of outbound addresses.
    if (own?.baseUrl) {
      const upstream = { baseUrl: own.baseUrl, apiKey: own.apiKey, upstream: outbound };
      return createImageProvider({ ...shared, ...upstream, isOwn: true });
    }
    if (!own && !openai.baseUrl && !apiKey) return null;
    const upstream = { baseUrl, apiKey: own?.apiKey ?? apiKey, upstream: trusted };
    return createImageProvider({ ...shared, ...upstream, isOwn: own !== undefined });
  };
  return new RunImages(database, providerFor, spool, files, links, projectStorage, publicUrl);
}
