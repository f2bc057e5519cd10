/** Address of the description of this service as an OAuth client, below `PUBLIC_URL`. */
export const CLIENT_METADATA_PATH = '/console/oauth-client.json';
/** The screen of the console to which authorization servers send users back. */
const REDIRECT_PATH = '/connections/authorized';

/** This service as a client of authorization servers that accept the address of a description as client id. */
export interface ClientMetadata {
  url: string;
  redirectUrl: string;
  document: object;
}

/** Null: the service has no public address with https, which such servers require. */
export function clientMetadataOf(publicUrl: string): ClientMetadata | null {
  if (!publicUrl.startsWith('https://')) return null;
  const url = `${publicUrl}${CLIENT_METADATA_PATH}`;
  const redirectUrl = `${publicUrl}${REDIRECT_PATH}`;
  const document = {
    ...{ client_id: url, client_name: 'Scenarium', client_uri: publicUrl, redirect_uris: [redirectUrl] },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    token_endpoint_auth_method: 'none',
  };
  return { url, redirectUrl, document };
}
