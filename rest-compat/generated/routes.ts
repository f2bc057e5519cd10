// Generated from rest-compat/operations by `npm run generate`; edits here are lost.
import type { Route } from '../runtime/route.js';

export const routes: readonly Route[] = [
  {
    operation: 'ListAllWorkflows',
    method: 'GET',
    path: '/api/v1/all-workflows/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListAllWorkflows($search: String, $title__icontains: String, $project: Int @range(min: 1), $categories: [Int!], $subcategories: [Int!], $languages: String, $own_scripts: Boolean = false, $ordering: WorkflowListOrder = CREATED_AT_DESC @choices(of: [{sent: "last_run_at", value: "LAST_RUN_AT_ASC"}, {sent: "-last_run_at", value: "LAST_RUN_AT_DESC"}, {sent: "total_cost", value: "TOTAL_COST_ASC"}, {sent: "-total_cost", value: "TOTAL_COST_DESC"}, {sent: "created_at", value: "CREATED_AT_ASC"}, {sent: "-created_at", value: "CREATED_AT_DESC"}]), $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: catalogWorkflows(
    filter: {search: $search, titleContains: $title__icontains, projectId: $project, categoryIds: $categories, subcategoryIds: $subcategories, languages: $languages, ownScripts: $own_scripts}
    order: $ordering
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...CatalogWorkflow
    }
  }
}

fragment CatalogWorkflow on CatalogWorkflow {
  id
  project: projectId
  title
  slug
  is_published: isPublished
  copied_from: copiedFromId
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  marketplace_price_avg: marketplacePriceAverage {
    USD: usd
    SR: sr
  }
  copied_workflow_id: copiedWorkflowId
  total_users_count: totalUsersCount
  total_runs_count: totalRunsCount
  is_bookmarked: isBookmarked
  last_run_at: lastRunAt
  last_run_cost: lastRunCost {
    USD: usd
    SR: sr
  }
  average_run_duration: averageRunDuration
  total_cost: totalCost {
    USD: usd
    SR: sr
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveCatalogWorkflow',
    method: 'GET',
    path: '/api/v1/all-workflows/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveCatalogWorkflow($id: Int!) {
  body: catalogWorkflow(id: $id) {
    ...CatalogWorkflow
  }
}

fragment CatalogWorkflow on CatalogWorkflow {
  id
  project: projectId
  title
  slug
  is_published: isPublished
  copied_from: copiedFromId
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  marketplace_price_avg: marketplacePriceAverage {
    USD: usd
    SR: sr
  }
  copied_workflow_id: copiedWorkflowId
  total_users_count: totalUsersCount
  total_runs_count: totalRunsCount
  is_bookmarked: isBookmarked
  last_run_at: lastRunAt
  last_run_cost: lastRunCost {
    USD: usd
    SR: sr
  }
  average_run_duration: averageRunDuration
  total_cost: totalCost {
    USD: usd
    SR: sr
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'AddBookmark',
    method: 'POST',
    path: '/api/v1/all-workflows/{id}/add-bookmark/',
    status: 201,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation AddBookmark($id: Int!) {
  workflowBookmarkAdd(id: $id) {
    body: receipt {
      message
    }
  }
}`,
  },
  {
    operation: 'DeleteBookmark',
    method: 'DELETE',
    path: '/api/v1/all-workflows/{id}/delete-bookmark/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteBookmark($id: Int!) {
  workflowBookmarkRemove(id: $id) {
    body: receipt {
      message
    }
  }
}`,
  },
  {
    operation: 'ImportApiDefinition',
    method: 'POST',
    path: '/api/v1/api-definitions/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation ImportApiDefinition($project: Int!, $name: String!, $url: String, $document: String, $base_url: String, $connection: Int) {
  apiDefinitionImport(
    input: {projectId: $project, name: $name, url: $url, document: $document, baseUrl: $base_url, connectionId: $connection}
  ) {
    body: apiDefinition {
      ...ApiDefinition
    }
  }
}

fragment ApiDefinition on ApiDefinition {
  id
  project: projectId
  name
  title
  version
  source_url: sourceUrl
  base_url: baseUrl
  connection: connectionId
  operations_count: operationsCount
  skipped_operations: skippedOperations
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveApiDefinition',
    method: 'GET',
    path: '/api/v1/api-definitions/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveApiDefinition($id: Int!) {
  body: apiDefinition(id: $id) {
    ...ApiDefinition
  }
}

fragment ApiDefinition on ApiDefinition {
  id
  project: projectId
  name
  title
  version
  source_url: sourceUrl
  base_url: baseUrl
  connection: connectionId
  operations_count: operationsCount
  skipped_operations: skippedOperations
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateApiDefinition',
    method: 'PATCH',
    path: '/api/v1/api-definitions/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateApiDefinition($id: Int!, $name: String, $base_url: String, $connection: Int) {
  apiDefinitionUpdate(
    id: $id
    input: {name: $name, baseUrl: $base_url, connectionId: $connection}
  ) {
    body: apiDefinition {
      ...ApiDefinition
    }
  }
}

fragment ApiDefinition on ApiDefinition {
  id
  project: projectId
  name
  title
  version
  source_url: sourceUrl
  base_url: baseUrl
  connection: connectionId
  operations_count: operationsCount
  skipped_operations: skippedOperations
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteApiDefinition',
    method: 'DELETE',
    path: '/api/v1/api-definitions/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteApiDefinition($id: Int!) {
  apiDefinitionDelete(id: $id) {
    body: apiDefinition {
      id
    }
  }
}`,
  },
  {
    operation: 'ListApiOperations',
    method: 'GET',
    path: '/api/v1/api-definitions/{id}/operations/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListApiOperations($id: Int!, $contains: String, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: apiOperations(id: $id, contains: $contains, page: $page, size: $size) {
    page
    size
    total
    items {
      id
      name
      operation_id: operationId
      method
      path
      summary
      description
      parameters
      agent_tool: agentTool
      http_node: httpNode
    }
  }
}`,
  },
  {
    operation: 'ListApiKeys',
    method: 'GET',
    path: '/api/v1/api-keys/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListApiKeys($page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: apiKeys(page: $page, size: $size) {
    page
    size
    total
    items {
      ...ApiKey
    }
  }
}

fragment ApiKey on ApiKey {
  id
  name
  prefix
  rate_limit: rateLimit
  created_at: createdAt
  last_used_at: lastUsedAt
  expires_at: expiresAt
}`,
  },
  {
    operation: 'CreateApiKey',
    method: 'POST',
    path: '/api/v1/api-keys/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateApiKey($name: String!, $expires_at: DateTime, $user: Int, $rate_limit: Int @range(min: 0, max: 1000000)) {
  apiKeyCreate(
    input: {name: $name, expiresAt: $expires_at, userId: $user, rateLimit: $rate_limit}
  ) {
    body: apiKey {
      ...ApiKey
      key
    }
  }
}

fragment ApiKey on ApiKey {
  id
  name
  prefix
  rate_limit: rateLimit
  created_at: createdAt
  last_used_at: lastUsedAt
  expires_at: expiresAt
}`,
  },
  {
    operation: 'DeleteApiKey',
    method: 'DELETE',
    path: '/api/v1/api-keys/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteApiKey($id: Int!) {
  apiKeyDelete(id: $id) {
    body: apiKey {
      id
    }
  }
}`,
  },
  {
    operation: 'ListBillingTransactions',
    method: 'GET',
    path: '/api/v1/billing-history/workflowrun/{run_id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListBillingTransactions($run_id: UUID!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 1, max: 100)) {
  body: billingTransactions(runId: $run_id, page: $page, size: $size) {
    page
    size
    total
    items {
      id
      operation
      status @choices(of: [{sent: "Success", value: "SUCCEEDED"}, {sent: "Error", value: "FAILED"}])
      amount {
        USD: usd
        SR: sr
      }
      reason
      description
      run_id: runId
      user_id: userId
      created_at: createdAt
      updated_at: updatedAt
    }
  }
}`,
  },
  {
    operation: 'ListCategories',
    method: 'GET',
    path: '/api/v1/categories/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListCategories($page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: categories(page: $page, size: $size) {
    page
    size
    total
    items {
      id
      name
      subcategories {
        id
        name
      }
    }
  }
}`,
  },
  {
    operation: 'CompleteConnectionAuthorization',
    method: 'POST',
    path: '/api/v1/connection-authorizations/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation CompleteConnectionAuthorization($state: String!, $code: String!) {
  connectionAuthorizationComplete(state: $state, code: $code) {
    body: connection {
      ...Connection
    }
  }
}

fragment Connection on ConnectedService {
  id
  project: projectId
  name
  kind
  preset
  settings {
    base_url: baseUrl
    test_path: testPath
    placement
    key_name: keyName
    key_prefix: keyPrefix
    username
    host
    port
    database
    tls
    authorization_url: authorizationUrl
    token_url: tokenUrl
    client_id: clientId
    client_authentication: clientAuthentication
    scopes
  }
  allowed_hosts: allowedHosts
  has_secret: hasSecret
  secret_changed_at: secretChangedAt
  is_authorized: isAuthorized
  refresh_at: refreshAt
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListConnectionPresets',
    method: 'GET',
    path: '/api/v1/connection-presets/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListConnectionPresets {
  body: connectionPresets {
    name
    title
    kind
    settings {
      base_url: baseUrl
      test_path: testPath
      placement
      key_name: keyName
      key_prefix: keyPrefix
      username
      host
      port
      database
      tls
      authorization_url: authorizationUrl
      token_url: tokenUrl
      client_id: clientId
      client_authentication: clientAuthentication
      scopes
    }
    missing
    help
  }
}`,
  },
  {
    operation: 'CreateConnection',
    method: 'POST',
    path: '/api/v1/connections/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateConnection($project: Int!, $name: String!, $kind: ConnectionKind, $preset: String, $settings: ConnectionSettingsInput, $secret: String, $allowed_hosts: [String!]) {
  connectionCreate(
    input: {projectId: $project, name: $name, kind: $kind, preset: $preset, settings: $settings, secret: $secret, allowedHosts: $allowed_hosts}
  ) {
    body: connection {
      ...Connection
    }
  }
}

fragment Connection on ConnectedService {
  id
  project: projectId
  name
  kind
  preset
  settings {
    base_url: baseUrl
    test_path: testPath
    placement
    key_name: keyName
    key_prefix: keyPrefix
    username
    host
    port
    database
    tls
    authorization_url: authorizationUrl
    token_url: tokenUrl
    client_id: clientId
    client_authentication: clientAuthentication
    scopes
  }
  allowed_hosts: allowedHosts
  has_secret: hasSecret
  secret_changed_at: secretChangedAt
  is_authorized: isAuthorized
  refresh_at: refreshAt
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveConnection',
    method: 'GET',
    path: '/api/v1/connections/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveConnection($id: Int!) {
  body: connection(id: $id) {
    ...Connection
  }
}

fragment Connection on ConnectedService {
  id
  project: projectId
  name
  kind
  preset
  settings {
    base_url: baseUrl
    test_path: testPath
    placement
    key_name: keyName
    key_prefix: keyPrefix
    username
    host
    port
    database
    tls
    authorization_url: authorizationUrl
    token_url: tokenUrl
    client_id: clientId
    client_authentication: clientAuthentication
    scopes
  }
  allowed_hosts: allowedHosts
  has_secret: hasSecret
  secret_changed_at: secretChangedAt
  is_authorized: isAuthorized
  refresh_at: refreshAt
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateConnection',
    method: 'PATCH',
    path: '/api/v1/connections/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateConnection($id: Int!, $name: String, $settings: ConnectionSettingsInput, $secret: String, $allowed_hosts: [String!]) {
  connectionUpdate(
    id: $id
    input: {name: $name, settings: $settings, secret: $secret, allowedHosts: $allowed_hosts}
  ) {
    body: connection {
      ...Connection
    }
  }
}

fragment Connection on ConnectedService {
  id
  project: projectId
  name
  kind
  preset
  settings {
    base_url: baseUrl
    test_path: testPath
    placement
    key_name: keyName
    key_prefix: keyPrefix
    username
    host
    port
    database
    tls
    authorization_url: authorizationUrl
    token_url: tokenUrl
    client_id: clientId
    client_authentication: clientAuthentication
    scopes
  }
  allowed_hosts: allowedHosts
  has_secret: hasSecret
  secret_changed_at: secretChangedAt
  is_authorized: isAuthorized
  refresh_at: refreshAt
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteConnection',
    method: 'DELETE',
    path: '/api/v1/connections/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteConnection($id: Int!) {
  connectionDelete(id: $id) {
    body: connection {
      id
    }
  }
}`,
  },
  {
    operation: 'StartConnectionAuthorization',
    method: 'POST',
    path: '/api/v1/connections/{id}/authorization/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation StartConnectionAuthorization($id: Int!, $redirect_url: String!) {
  connectionAuthorizationStart(id: $id, redirectUrl: $redirect_url) {
    body: connectionAuthorization {
      authorization_url: authorizationUrl
      expires_at: expiresAt
    }
  }
}`,
  },
  {
    operation: 'RotateConnection',
    method: 'POST',
    path: '/api/v1/connections/{id}/rotate/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation RotateConnection($id: Int!, $secret: String!) {
  connectionRotate(id: $id, secret: $secret) {
    body: connection {
      ...Connection
    }
  }
}

fragment Connection on ConnectedService {
  id
  project: projectId
  name
  kind
  preset
  settings {
    base_url: baseUrl
    test_path: testPath
    placement
    key_name: keyName
    key_prefix: keyPrefix
    username
    host
    port
    database
    tls
    authorization_url: authorizationUrl
    token_url: tokenUrl
    client_id: clientId
    client_authentication: clientAuthentication
    scopes
  }
  allowed_hosts: allowedHosts
  has_secret: hasSecret
  secret_changed_at: secretChangedAt
  is_authorized: isAuthorized
  refresh_at: refreshAt
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'TestConnection',
    method: 'POST',
    path: '/api/v1/connections/{id}/test/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation TestConnection($id: Int!) {
  connectionTest(id: $id) {
    body: connectionTest {
      is_accepted: isAccepted
      message
    }
  }
}`,
  },
  {
    operation: 'ListConnectionUses',
    method: 'GET',
    path: '/api/v1/connections/{id}/uses/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListConnectionUses($id: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: connectionUses(id: $id, page: $page, size: $size) {
    page
    size
    total
    items {
      id
      workflow: workflowId
      user: userId
      run: runId
      first_used_at: firstUsedAt
      last_used_at: lastUsedAt
    }
  }
}`,
  },
  {
    operation: 'DeleteTriggerConversation',
    method: 'DELETE',
    path: '/api/v1/conversations/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteTriggerConversation($id: UUID!) {
  triggerConversationDelete(id: $id) {
    body: triggerConversation {
      id
    }
  }
}`,
  },
  {
    operation: 'ListDocuments',
    method: 'GET',
    path: '/api/v1/documents/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListDocuments($project: Int @range(min: 1), $filename__icontains: String, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: documents(
    filter: {projectId: $project, filenameContains: $filename__icontains}
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...Document
    }
  }
}

fragment Document on Document {
  id
  project: projectId
  key
  filename
  result_file: resultFile
  result_url: resultUrl
  content_type: contentType
  size
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UploadDocuments',
    method: 'POST',
    path: '/api/v1/documents/',
    status: 201,
    auth: 'API_KEY',
    body: 'MULTIPART',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation UploadDocuments($project: Int!, $files: [Upload!]!) {
  documentUpload(projectId: $project, files: $files) {
    body: documents {
      ...Document
    }
  }
}

fragment Document on Document {
  id
  project: projectId
  key
  filename
  result_file: resultFile
  result_url: resultUrl
  content_type: contentType
  size
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveDocument',
    method: 'GET',
    path: '/api/v1/documents/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveDocument($id: Int!) {
  body: document(id: $id) {
    ...Document
  }
}

fragment Document on Document {
  id
  project: projectId
  key
  filename
  result_file: resultFile
  result_url: resultUrl
  content_type: contentType
  size
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateDocument',
    method: 'PATCH',
    path: '/api/v1/documents/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'MULTIPART',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateDocument($id: Int!, $key: String, $filename: String, $file: Upload) {
  documentUpdate(id: $id, input: {key: $key, filename: $filename, file: $file}) {
    body: document {
      ...Document
    }
  }
}

fragment Document on Document {
  id
  project: projectId
  key
  filename
  result_file: resultFile
  result_url: resultUrl
  content_type: contentType
  size
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteDocument',
    method: 'DELETE',
    path: '/api/v1/documents/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteDocument($id: Int!) {
  documentDelete(id: $id) {
    body: document {
      id
    }
  }
}`,
  },
  {
    operation: 'ListExpressionFunctions',
    method: 'GET',
    path: '/api/v1/expression-functions/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListExpressionFunctions {
  body: expressionFunctions {
    name
    group
    signature
    parameters {
      name
      type
      is_optional: isOptional
      is_rest: isRest
    }
    returns
    description
    examples {
      expression
      result
    }
    takes_missing: takesMissing
  }
}`,
  },
  {
    operation: 'ListExpressionReferences',
    method: 'GET',
    path: '/api/v1/expression-references/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListExpressionReferences {
  body: expressionReferences {
    name
    description
  }
}`,
  },
  {
    operation: 'UploadFile',
    method: 'POST',
    path: '/api/v1/files/',
    status: 201,
    auth: 'API_KEY',
    body: 'MULTIPART',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation UploadFile($project: Int!, $file: Upload!) {
  projectFileUpload(projectId: $project, file: $file) {
    body: projectFile {
      ...ProjectFile
    }
  }
}

fragment ProjectFile on ProjectFile {
  file_id: id
  project: projectId
  run_id: runId
  name
  content_type: contentType
  size
  sha256
  url
  created_at: createdAt
}`,
  },
  {
    operation: 'RetrieveFile',
    method: 'GET',
    path: '/api/v1/files/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveFile($id: UUID!) {
  body: projectFile(id: $id) {
    ...ProjectFile
  }
}

fragment ProjectFile on ProjectFile {
  file_id: id
  project: projectId
  run_id: runId
  name
  content_type: contentType
  size
  sha256
  url
  created_at: createdAt
}`,
  },
  {
    operation: 'DeleteFile',
    method: 'DELETE',
    path: '/api/v1/files/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteFile($id: UUID!) {
  projectFileDelete(id: $id) {
    body: projectFile {
      id
    }
  }
}`,
  },
  {
    operation: 'CreateDocumentFromFile',
    method: 'POST',
    path: '/api/v1/files/{id}/document/',
    status: 201,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateDocumentFromFile($id: UUID!) {
  projectFileToDocument(id: $id) {
    body: document {
      ...Document
    }
  }
}

fragment Document on Document {
  id
  project: projectId
  key
  filename
  result_file: resultFile
  result_url: resultUrl
  content_type: contentType
  size
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListReceivedInvitations',
    method: 'GET',
    path: '/api/v1/invitations/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListReceivedInvitations($page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: projectInvitationsReceived(page: $page, size: $size) {
    page
    size
    total
    items {
      ...ProjectInvitation
    }
  }
}

fragment ProjectInvitation on ProjectInvitation {
  id
  project: projectId
  project_name: projectName
  email
  role
  invited_by: invitedBy
  created_at: createdAt
  expires_at: expiresAt
}`,
  },
  {
    operation: 'AcceptInvitation',
    method: 'POST',
    path: '/api/v1/invitations/{id}/accept/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation AcceptInvitation($id: Int!) {
  projectInvitationAccept(id: $id) {
    body: projectMember {
      ...ProjectMember
    }
  }
}

fragment ProjectMember on ProjectMember {
  id
  user: userId
  email
  role
}`,
  },
  {
    operation: 'DeclineInvitation',
    method: 'POST',
    path: '/api/v1/invitations/{id}/decline/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeclineInvitation($id: Int!) {
  projectInvitationDecline(id: $id) {
    body: projectInvitation {
      id
    }
  }
}`,
  },
  {
    operation: 'SetKeyValueEntry',
    method: 'POST',
    path: '/api/v1/key-value-entries/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation SetKeyValueEntry($project: Int!, $key: String!, $value: JSON, $ttl_seconds: Int, $expected_version: String) {
  keyValueEntrySet(
    input: {projectId: $project, key: $key, value: $value, ttlSeconds: $ttl_seconds, expectedVersion: $expected_version}
  ) {
    body: keyValueEntry {
      ...KeyValueEntry
    }
  }
}

fragment KeyValueEntry on KeyValueEntry {
  id
  project: projectId
  key
  value
  version
  expires_at: expiresAt
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'IncrementKeyValueEntry',
    method: 'POST',
    path: '/api/v1/key-value-entries/increment/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation IncrementKeyValueEntry($project: Int!, $key: String!, $by: Float, $ttl_seconds: Int) {
  keyValueEntryIncrement(
    input: {projectId: $project, key: $key, by: $by, ttlSeconds: $ttl_seconds}
  ) {
    body: keyValueEntry {
      ...KeyValueEntry
    }
  }
}

fragment KeyValueEntry on KeyValueEntry {
  id
  project: projectId
  key
  value
  version
  expires_at: expiresAt
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveKeyValueEntry',
    method: 'GET',
    path: '/api/v1/key-value-entries/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveKeyValueEntry($id: UUID!) {
  body: keyValueEntry(id: $id) {
    ...KeyValueEntry
  }
}

fragment KeyValueEntry on KeyValueEntry {
  id
  project: projectId
  key
  value
  version
  expires_at: expiresAt
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteKeyValueEntry',
    method: 'DELETE',
    path: '/api/v1/key-value-entries/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteKeyValueEntry($id: UUID!) {
  keyValueEntryDelete(id: $id) {
    body: keyValueEntry {
      id
    }
  }
}`,
  },
  {
    operation: 'ListKeywordruns',
    method: 'GET',
    path: '/api/v1/keywordruns/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListKeywordruns($project: Int @range(min: 1), $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: keywordRuns(filter: {projectId: $project}, page: $page, size: $size) {
    page
    size
    total
    items {
      ...KeywordrunSummary
    }
  }
}

fragment KeywordrunSummary on KeywordRun {
  id
  project: projectId
  topic
  url
  preset
  do_clusterize: doClusterize
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  keywords_count: keywordsCount
  error
  cost {
    USD: usd
    SR: sr
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'CreateKeywordrun',
    method: 'POST',
    path: '/api/v1/keywordruns/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: { BUDGET_EXCEEDED: 402 },
    document: `mutation CreateKeywordrun($project: Int!, $topic: String, $url: String, $preset: Int @range(min: 1, max: 4), $do_clusterize: Boolean) {
  keywordRunCreate(
    input: {projectId: $project, topic: $topic, url: $url, preset: $preset, doClusterize: $do_clusterize}
  ) {
    body: keywordRun {
      ...Keywordrun
    }
  }
}

fragment Keywordrun on KeywordRun {
  ...KeywordrunSummary
  clusters {
    id
    name
    keywords {
      id
      name
      volume
      is_enabled: isEnabled
    }
  }
}

fragment KeywordrunSummary on KeywordRun {
  id
  project: projectId
  topic
  url
  preset
  do_clusterize: doClusterize
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  keywords_count: keywordsCount
  error
  cost {
    USD: usd
    SR: sr
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveKeywordrun',
    method: 'GET',
    path: '/api/v1/keywordruns/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveKeywordrun($id: Int!) {
  body: keywordRun(id: $id) {
    ...Keywordrun
  }
}

fragment Keywordrun on KeywordRun {
  ...KeywordrunSummary
  clusters {
    id
    name
    keywords {
      id
      name
      volume
      is_enabled: isEnabled
    }
  }
}

fragment KeywordrunSummary on KeywordRun {
  id
  project: projectId
  topic
  url
  preset
  do_clusterize: doClusterize
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  keywords_count: keywordsCount
  error
  cost {
    USD: usd
    SR: sr
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateKeywordrun',
    method: 'PATCH',
    path: '/api/v1/keywordruns/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateKeywordrun($id: Int!, $preset: Int @range(min: 1, max: 4)) {
  keywordRunUpdate(id: $id, input: {preset: $preset}) {
    body: keywordRun {
      ...Keywordrun
    }
  }
}

fragment Keywordrun on KeywordRun {
  ...KeywordrunSummary
  clusters {
    id
    name
    keywords {
      id
      name
      volume
      is_enabled: isEnabled
    }
  }
}

fragment KeywordrunSummary on KeywordRun {
  id
  project: projectId
  topic
  url
  preset
  do_clusterize: doClusterize
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  keywords_count: keywordsCount
  error
  cost {
    USD: usd
    SR: sr
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteKeywordrun',
    method: 'DELETE',
    path: '/api/v1/keywordruns/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteKeywordrun($id: Int!) {
  keywordRunDelete(id: $id) {
    body: keywordRun {
      id
    }
  }
}`,
  },
  {
    operation: 'ClusterizeKeywordrun',
    method: 'POST',
    path: '/api/v1/keywordruns/{id}/clusterize/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation ClusterizeKeywordrun($id: Int!) {
  keywordRunClusterize(id: $id) {
    body: keywordRun {
      ...Keywordrun
    }
  }
}

fragment Keywordrun on KeywordRun {
  ...KeywordrunSummary
  clusters {
    id
    name
    keywords {
      id
      name
      volume
      is_enabled: isEnabled
    }
  }
}

fragment KeywordrunSummary on KeywordRun {
  id
  project: projectId
  topic
  url
  preset
  do_clusterize: doClusterize
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  keywords_count: keywordsCount
  error
  cost {
    USD: usd
    SR: sr
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DisableKeywordrunKeywords',
    method: 'POST',
    path: '/api/v1/keywordruns/{id}/disable_all/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DisableKeywordrunKeywords($id: Int!) {
  keywordRunKeywordsEnable(id: $id, isEnabled: false) {
    body: keywordRun {
      ...Keywordrun
    }
  }
}

fragment Keywordrun on KeywordRun {
  ...KeywordrunSummary
  clusters {
    id
    name
    keywords {
      id
      name
      volume
      is_enabled: isEnabled
    }
  }
}

fragment KeywordrunSummary on KeywordRun {
  id
  project: projectId
  topic
  url
  preset
  do_clusterize: doClusterize
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  keywords_count: keywordsCount
  error
  cost {
    USD: usd
    SR: sr
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'EnableKeywordrunKeywords',
    method: 'POST',
    path: '/api/v1/keywordruns/{id}/enable_all/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation EnableKeywordrunKeywords($id: Int!) {
  keywordRunKeywordsEnable(id: $id, isEnabled: true) {
    body: keywordRun {
      ...Keywordrun
    }
  }
}

fragment Keywordrun on KeywordRun {
  ...KeywordrunSummary
  clusters {
    id
    name
    keywords {
      id
      name
      volume
      is_enabled: isEnabled
    }
  }
}

fragment KeywordrunSummary on KeywordRun {
  id
  project: projectId
  topic
  url
  preset
  do_clusterize: doClusterize
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  keywords_count: keywordsCount
  error
  cost {
    USD: usd
    SR: sr
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListKeywords',
    method: 'GET',
    path: '/api/v1/keywords/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListKeywords($project: Int @range(min: 1), $keywordrun: Int, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: keywords(
    filter: {projectId: $project, keywordRunId: $keywordrun}
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...Keyword
    }
  }
}

fragment Keyword on Keyword {
  id
  name
  project: projectId
  volume
  competitor_url: competitorUrl
  mode
  keyword_cluster: keywordClusterId
  keywordrun: keywordRunId
  is_enabled: isEnabled
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'CreateKeyword',
    method: 'POST',
    path: '/api/v1/keywords/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateKeyword($name: String!, $project: Int!, $volume: Int @range(min: 0, max: 2147483647), $competitor_url: String, $mode: String, $keyword_cluster: Int, $keywordrun: Int, $is_enabled: Boolean) {
  keywordCreate(
    input: {name: $name, projectId: $project, volume: $volume, competitorUrl: $competitor_url, mode: $mode, keywordClusterId: $keyword_cluster, keywordRunId: $keywordrun, isEnabled: $is_enabled}
  ) {
    body: keyword {
      ...Keyword
    }
  }
}

fragment Keyword on Keyword {
  id
  name
  project: projectId
  volume
  competitor_url: competitorUrl
  mode
  keyword_cluster: keywordClusterId
  keywordrun: keywordRunId
  is_enabled: isEnabled
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveKeyword',
    method: 'GET',
    path: '/api/v1/keywords/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveKeyword($id: Int!) {
  body: keyword(id: $id) {
    ...Keyword
  }
}

fragment Keyword on Keyword {
  id
  name
  project: projectId
  volume
  competitor_url: competitorUrl
  mode
  keyword_cluster: keywordClusterId
  keywordrun: keywordRunId
  is_enabled: isEnabled
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateKeyword',
    method: 'PATCH',
    path: '/api/v1/keywords/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateKeyword($id: Int!, $name: String, $volume: Int @range(min: 0, max: 2147483647), $competitor_url: String, $is_enabled: Boolean) {
  keywordUpdate(
    id: $id
    input: {name: $name, volume: $volume, competitorUrl: $competitor_url, isEnabled: $is_enabled}
  ) {
    body: keyword {
      ...Keyword
    }
  }
}

fragment Keyword on Keyword {
  id
  name
  project: projectId
  volume
  competitor_url: competitorUrl
  mode
  keyword_cluster: keywordClusterId
  keywordrun: keywordRunId
  is_enabled: isEnabled
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteKeyword',
    method: 'DELETE',
    path: '/api/v1/keywords/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteKeyword($id: Int!) {
  keywordDelete(id: $id) {
    body: keyword {
      id
    }
  }
}`,
  },
  {
    operation: 'ListMessages',
    method: 'GET',
    path: '/api/v1/messages/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListMessages($key: String, $project: Int @range(min: 1), $scenariorun: Int @orBoolean(variable: "has_scenario_run", fault: "Must be true, false or the id of a scenario run."), $has_scenario_run: Boolean, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: messages(
    filter: {keyContains: $key, projectId: $project, scenarioRunId: $scenariorun, hasScenarioRun: $has_scenario_run}
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...Message
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'CreateMessage',
    method: 'POST',
    path: '/api/v1/messages/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateMessage($key: String!, $project: Int!, $provider: String, $return_type: MessageReturnType, $parameters: JSON, $is_loop: Boolean, $loop_count: Int @range(min: 1, max: 1000), $loop_variable: Int, $is_async: Boolean, $prompts: [Int!], $conditions: [ConditionInput!]) {
  messageCreate(
    input: {key: $key, projectId: $project, provider: $provider, returnType: $return_type, parameters: $parameters, isLoop: $is_loop, loopCount: $loop_count, loopVariableId: $loop_variable, isAsync: $is_async, promptIds: $prompts, conditions: $conditions}
  ) {
    body: message {
      ...Message
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveMessage',
    method: 'GET',
    path: '/api/v1/messages/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveMessage($id: Int!) {
  body: message(id: $id) {
    ...Message
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateMessage',
    method: 'PATCH',
    path: '/api/v1/messages/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateMessage($id: Int!, $key: String, $provider: String, $return_type: MessageReturnType, $parameters: JSON, $is_loop: Boolean, $loop_count: Int @range(min: 1, max: 1000), $loop_variable: Int, $is_async: Boolean, $prompts: [Int!], $conditions: [ConditionInput!]) {
  messageUpdate(
    id: $id
    input: {key: $key, provider: $provider, returnType: $return_type, parameters: $parameters, isLoop: $is_loop, loopCount: $loop_count, loopVariableId: $loop_variable, isAsync: $is_async, promptIds: $prompts, conditions: $conditions}
  ) {
    body: message {
      ...Message
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteMessage',
    method: 'DELETE',
    path: '/api/v1/messages/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteMessage($id: Int!) {
  messageDelete(id: $id) {
    body: message {
      id
    }
  }
}`,
  },
  {
    operation: 'ReorderMessage',
    method: 'POST',
    path: '/api/v1/messages/{id}/reorder/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 400 },
    document: `mutation ReorderMessage($id: Int!, $sort_id: Int!) {
  messageReorder(id: $id, sortId: $sort_id) {
    body: message {
      ...Message
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ChangePassword',
    method: 'POST',
    path: '/api/v1/password/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation ChangePassword($current_password: String!, $new_password: String!, $revoke_keys: Boolean! = false) {
  passwordChange(
    currentPassword: $current_password
    newPassword: $new_password
    revokeKeys: $revoke_keys
  ) {
    body: passwordChange {
      revoked_keys: revokedKeys
    }
  }
}`,
  },
  {
    operation: 'RequestPasswordReset',
    method: 'POST',
    path: '/api/v1/password/reset-request/',
    status: 204,
    auth: 'NONE',
    body: 'JSON',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: { UNAUTHENTICATED: 401 },
    document: `mutation RequestPasswordReset($email: String!) {
  passwordResetRequest(email: $email) {
    body: isAccepted
  }
}`,
  },
  {
    operation: 'ResetPassword',
    method: 'POST',
    path: '/api/v1/password/reset/',
    status: 200,
    auth: 'NONE',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { UNAUTHENTICATED: 401 },
    document: `mutation ResetPassword($token: String!, $new_password: String!, $revoke_keys: Boolean! = false) {
  passwordReset(
    token: $token
    newPassword: $new_password
    revokeKeys: $revoke_keys
  ) {
    body: session {
      ...Session
    }
  }
}

fragment Session on Session {
  access
  refresh
}`,
  },
  {
    operation: 'CreateProjectEnvironment',
    method: 'POST',
    path: '/api/v1/project-environments/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateProjectEnvironment($project: Int!, $name: String!) {
  projectEnvironmentCreate(input: {projectId: $project, name: $name}) {
    body: projectEnvironment {
      id
      project: projectId
      name
      created_at: createdAt
    }
  }
}`,
  },
  {
    operation: 'DeleteProjectEnvironment',
    method: 'DELETE',
    path: '/api/v1/project-environments/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteProjectEnvironment($id: Int!) {
  projectEnvironmentDelete(id: $id) {
    body: projectEnvironment {
      id
    }
  }
}`,
  },
  {
    operation: 'CreateProjectVariable',
    method: 'POST',
    path: '/api/v1/project-variables/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateProjectVariable($project: Int!, $name: String!, $value: String!, $is_secret: Boolean, $allowed_hosts: [String!]) {
  projectVariableCreate(
    input: {projectId: $project, name: $name, value: $value, isSecret: $is_secret, allowedHosts: $allowed_hosts}
  ) {
    body: projectVariable {
      ...ProjectVariable
    }
  }
}

fragment ProjectVariable on ProjectVariable {
  id
  project: projectId
  name
  value
  is_secret: isSecret
  allowed_hosts: allowedHosts
  values {
    environment_id: environmentId
    environment
    value
    updated_at: updatedAt
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateProjectVariable',
    method: 'PATCH',
    path: '/api/v1/project-variables/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateProjectVariable($id: Int!, $name: String, $value: String, $is_secret: Boolean, $allowed_hosts: [String!]) {
  projectVariableUpdate(
    id: $id
    input: {name: $name, value: $value, isSecret: $is_secret, allowedHosts: $allowed_hosts}
  ) {
    body: projectVariable {
      ...ProjectVariable
    }
  }
}

fragment ProjectVariable on ProjectVariable {
  id
  project: projectId
  name
  value
  is_secret: isSecret
  allowed_hosts: allowedHosts
  values {
    environment_id: environmentId
    environment
    value
    updated_at: updatedAt
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteProjectVariable',
    method: 'DELETE',
    path: '/api/v1/project-variables/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteProjectVariable($id: Int!) {
  projectVariableDelete(id: $id) {
    body: projectVariable {
      id
    }
  }
}`,
  },
  {
    operation: 'SetProjectVariableValue',
    method: 'PUT',
    path: '/api/v1/project-variables/{id}/values/{environment_id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation SetProjectVariableValue($id: Int!, $environment_id: Int!, $value: String) {
  projectVariableValueSet(id: $id, environmentId: $environment_id, value: $value) {
    body: projectVariable {
      ...ProjectVariable
    }
  }
}

fragment ProjectVariable on ProjectVariable {
  id
  project: projectId
  name
  value
  is_secret: isSecret
  allowed_hosts: allowedHosts
  values {
    environment_id: environmentId
    environment
    value
    updated_at: updatedAt
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListProjects',
    method: 'GET',
    path: '/api/v1/projects/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListProjects($name__icontains: String, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: projects(
    filter: {nameContains: $name__icontains}
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...Project
    }
  }
}

fragment Project on Project {
  id
  name
  total_spent: totalSpent {
    USD: usd
    SR: sr
  }
  attached_provider_keys: attachedProviderKeys {
    id
    provider
    name
    last4
    created_at: createdAt
  }
  created_at: createdAt
  updated_at: updatedAt
  webhook_url: webhookUrl
  is_webhook_enabled: isWebhookEnabled
  can_edit: canEdit
}`,
  },
  {
    operation: 'CreateProject',
    method: 'POST',
    path: '/api/v1/projects/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateProject($name: String!, $webhook_url: String, $is_webhook_enabled: Boolean) {
  projectCreate(
    input: {name: $name, webhookUrl: $webhook_url, isWebhookEnabled: $is_webhook_enabled}
  ) {
    body: project {
      ...Project
    }
  }
}

fragment Project on Project {
  id
  name
  total_spent: totalSpent {
    USD: usd
    SR: sr
  }
  attached_provider_keys: attachedProviderKeys {
    id
    provider
    name
    last4
    created_at: createdAt
  }
  created_at: createdAt
  updated_at: updatedAt
  webhook_url: webhookUrl
  is_webhook_enabled: isWebhookEnabled
  can_edit: canEdit
}`,
  },
  {
    operation: 'RetrieveProject',
    method: 'GET',
    path: '/api/v1/projects/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveProject($id: Int!) {
  body: project(id: $id) {
    ...Project
  }
}

fragment Project on Project {
  id
  name
  total_spent: totalSpent {
    USD: usd
    SR: sr
  }
  attached_provider_keys: attachedProviderKeys {
    id
    provider
    name
    last4
    created_at: createdAt
  }
  created_at: createdAt
  updated_at: updatedAt
  webhook_url: webhookUrl
  is_webhook_enabled: isWebhookEnabled
  can_edit: canEdit
}`,
  },
  {
    operation: 'UpdateProject',
    method: 'PATCH',
    path: '/api/v1/projects/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateProject($id: Int!, $name: String, $webhook_url: String, $is_webhook_enabled: Boolean) {
  projectUpdate(
    id: $id
    input: {name: $name, webhookUrl: $webhook_url, isWebhookEnabled: $is_webhook_enabled}
  ) {
    body: project {
      ...Project
    }
  }
}

fragment Project on Project {
  id
  name
  total_spent: totalSpent {
    USD: usd
    SR: sr
  }
  attached_provider_keys: attachedProviderKeys {
    id
    provider
    name
    last4
    created_at: createdAt
  }
  created_at: createdAt
  updated_at: updatedAt
  webhook_url: webhookUrl
  is_webhook_enabled: isWebhookEnabled
  can_edit: canEdit
}`,
  },
  {
    operation: 'DeleteProject',
    method: 'DELETE',
    path: '/api/v1/projects/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteProject($id: Int!) {
  projectDelete(id: $id) {
    body: project {
      id
    }
  }
}`,
  },
  {
    operation: 'ListAgentApprovals',
    method: 'GET',
    path: '/api/v1/projects/{id}/agent-approvals/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListAgentApprovals($id: Int!, $run: UUID, $status: [AgentApprovalStatus!] = [PENDING] @choices(of: [{sent: "pending", value: "PENDING"}, {sent: "approved", value: "APPROVED"}, {sent: "rejected", value: "REJECTED"}, {sent: "expired", value: "EXPIRED"}]), $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: agentApprovals(
    projectId: $id
    runId: $run
    statuses: $status
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...AgentApproval
    }
  }
}

fragment AgentApproval on AgentApproval {
  request_id: requestId
  run: runId
  node_id: nodeId
  iteration
  kind @choices(of: [{sent: "start", value: "START"}, {sent: "tool", value: "TOOL"}, {sent: "decision", value: "DECISION"}])
  tool
  description
  arguments
  arguments_schema: argumentsSchema
  edited_arguments: editedArguments
  start {
    model
    messages {
      role
      content
    }
    tools {
      name
      description
    }
  }
  question {
    title
    message
    deciders @choices(of: [{sent: "members", value: "MEMBERS"}, {sent: "owners", value: "OWNERS"}, {sent: "users", value: "USERS"}])
    user_ids: userIds
    required_approval_count: requiredApprovalCount
    required_rejection_count: requiredRejectionCount
  }
  workflow {
    id
    title
  }
  status @choices(of: [{sent: "pending", value: "PENDING"}, {sent: "approved", value: "APPROVED"}, {sent: "rejected", value: "REJECTED"}, {sent: "expired", value: "EXPIRED"}])
  requested_at: requestedAt
  expires_at: expiresAt
  decided_at: decidedAt
  decided_by: decidedBy {
    id: userId
    name
    email
  }
  comment
  votes {
    decision @choices(of: [{sent: "approved", value: "APPROVED"}, {sent: "rejected", value: "REJECTED"}])
    comment
    decided_at: decidedAt
    decided_by: decidedBy {
      id: userId
      name
      email
    }
  }
  is_shortened: isShortened
}`,
  },
  {
    operation: 'SummarizeCosts',
    method: 'GET',
    path: '/api/v1/projects/{id}/cost-summary/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query SummarizeCosts($id: Int!, $from: DateTime!, $to: DateTime!, $group_by: [CostGroup!] = [], $interval: SummaryInterval) {
  body: costSummary(
    projectId: $id
    from: $from
    to: $to
    groupBy: $group_by
    interval: $interval
  ) {
    from
    to
    total {
      USD: usd
      SR: sr
    }
    items {
      start
      model
      workflow: workflowId
      api_key: apiKeyId
      user: userId
      cost {
        USD: usd
        SR: sr
      }
      transactions
      prompt_tokens: promptTokens
      completion_tokens: completionTokens
    }
    is_shortened: isShortened
  }
}`,
  },
  {
    operation: 'GetProjectDrafts',
    method: 'GET',
    path: '/api/v1/projects/{id}/drafts/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query GetProjectDrafts($id: Int!) {
  body: project(id: $id) {
    id
    uses_drafts: usesDrafts
  }
}`,
  },
  {
    operation: 'SetProjectDrafts',
    method: 'PUT',
    path: '/api/v1/projects/{id}/drafts/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation SetProjectDrafts($id: Int!, $uses_drafts: Boolean!) {
  projectDraftsSet(projectId: $id, usesDrafts: $uses_drafts) {
    body: project {
      id
      uses_drafts: usesDrafts
    }
  }
}`,
  },
  {
    operation: 'ListEarnings',
    method: 'GET',
    path: '/api/v1/projects/{id}/earnings/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListEarnings($id: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: projectEarnings(projectId: $id, page: $page, size: $size) {
    page
    size
    total
    items {
      run_id: runId
      workflow: workflowId
      amount {
        USD: usd
        SR: sr
      }
      created_at: createdAt
    }
  }
}`,
  },
  {
    operation: 'GetProjectStopwords',
    method: 'GET',
    path: '/api/v1/projects/{id}/get-stopwords/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query GetProjectStopwords($id: Int!) {
  body: project(id: $id) {
    ...ProjectStopwords
  }
}

fragment ProjectStopwords on Project {
  stopwords
}`,
  },
  {
    operation: 'ListProjectInvitations',
    method: 'GET',
    path: '/api/v1/projects/{id}/invitations/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 403 },
    document: `query ListProjectInvitations($id: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: projectInvitations(projectId: $id, page: $page, size: $size) {
    page
    size
    total
    items {
      ...ProjectInvitation
    }
  }
}

fragment ProjectInvitation on ProjectInvitation {
  id
  project: projectId
  project_name: projectName
  email
  role
  invited_by: invitedBy
  created_at: createdAt
  expires_at: expiresAt
}`,
  },
  {
    operation: 'InviteToProject',
    method: 'POST',
    path: '/api/v1/projects/{id}/invitations/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation InviteToProject($id: Int!, $email: String!, $role: ProjectRole! @choices(of: [{sent: "viewer", value: "VIEWER"}, {sent: "editor", value: "EDITOR"}, {sent: "admin", value: "ADMIN"}])) {
  projectInvitationCreate(projectId: $id, email: $email, role: $role) {
    body: projectInvitation {
      ...ProjectInvitation
    }
  }
}

fragment ProjectInvitation on ProjectInvitation {
  id
  project: projectId
  project_name: projectName
  email
  role
  invited_by: invitedBy
  created_at: createdAt
  expires_at: expiresAt
}`,
  },
  {
    operation: 'RevokeProjectInvitation',
    method: 'DELETE',
    path: '/api/v1/projects/{id}/invitations/{invitation_id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation RevokeProjectInvitation($id: Int!, $invitation_id: Int!) {
  projectInvitationRevoke(id: $invitation_id, projectId: $id) {
    body: projectInvitation {
      id
    }
  }
}`,
  },
  {
    operation: 'ListProjectMembers',
    method: 'GET',
    path: '/api/v1/projects/{id}/members/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListProjectMembers($id: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: projectMembers(projectId: $id, page: $page, size: $size) {
    page
    size
    total
    items {
      ...ProjectMember
    }
  }
}

fragment ProjectMember on ProjectMember {
  id
  user: userId
  email
  role
}`,
  },
  {
    operation: 'AddProjectMember',
    method: 'POST',
    path: '/api/v1/projects/{id}/members/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'CREATED_OR_ACCEPTED',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation AddProjectMember($id: Int!, $email: String!, $role: ProjectRole! @choices(of: [{sent: "viewer", value: "VIEWER"}, {sent: "editor", value: "EDITOR"}, {sent: "admin", value: "ADMIN"}])) {
  projectMemberOffer(projectId: $id, email: $email, role: $role) {
    body: projectMemberOffer {
      id: subjectId
      user: userId
      email
      role
      is_pending: isPending
    }
  }
}`,
  },
  {
    operation: 'UpdateProjectMember',
    method: 'PATCH',
    path: '/api/v1/projects/{id}/members/{member_id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateProjectMember($id: Int!, $member_id: Int!, $role: ProjectRole! @choices(of: [{sent: "viewer", value: "VIEWER"}, {sent: "editor", value: "EDITOR"}, {sent: "admin", value: "ADMIN"}])) {
  projectMemberUpdate(id: $member_id, role: $role, projectId: $id) {
    body: projectMember {
      ...ProjectMember
    }
  }
}

fragment ProjectMember on ProjectMember {
  id
  user: userId
  email
  role
}`,
  },
  {
    operation: 'RemoveProjectMember',
    method: 'DELETE',
    path: '/api/v1/projects/{id}/members/{member_id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation RemoveProjectMember($id: Int!, $member_id: Int!) {
  projectMemberRemove(id: $member_id, projectId: $id) {
    body: projectMember {
      id
    }
  }
}`,
  },
  {
    operation: 'GetProjectPublishCheck',
    method: 'GET',
    path: '/api/v1/projects/{id}/publish-check/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query GetProjectPublishCheck($id: Int!) {
  body: project(id: $id) {
    id
    requirement: publishRequirement
  }
}`,
  },
  {
    operation: 'SetProjectPublishCheck',
    method: 'PUT',
    path: '/api/v1/projects/{id}/publish-check/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation SetProjectPublishCheck($id: Int!, $requirement: PublishCheckRequirement!) {
  projectPublishCheckSet(projectId: $id, requirement: $requirement) {
    body: project {
      id
      requirement: publishRequirement
    }
  }
}`,
  },
  {
    operation: 'SummarizeRuns',
    method: 'GET',
    path: '/api/v1/projects/{id}/run-summary/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query SummarizeRuns($id: Int!, $workflow: Int, $from: DateTime!, $to: DateTime!, $interval: SummaryInterval) {
  body: runSummary(
    projectId: $id
    workflowId: $workflow
    from: $from
    to: $to
    interval: $interval
  ) {
    from
    to
    runs
    succeeded
    failed
    cancelled
    error_rate: errorRate
    duration_p50_ms: durationP50Ms
    duration_p95_ms: durationP95Ms
    cost {
      USD: usd
      SR: sr
    }
    items {
      start
      runs
      succeeded
      failed
      cancelled
      error_rate: errorRate
      duration_p50_ms: durationP50Ms
      duration_p95_ms: durationP95Ms
      cost {
        USD: usd
        SR: sr
      }
    }
  }
}`,
  },
  {
    operation: 'SetProjectStopwords',
    method: 'POST',
    path: '/api/v1/projects/{id}/set-stopwords/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation SetProjectStopwords($id: Int!, $stopwords: [String!]!) {
  projectStopwordsSet(id: $id, stopwords: $stopwords) {
    body: project {
      ...ProjectStopwords
    }
  }
}

fragment ProjectStopwords on Project {
  stopwords
}`,
  },
  {
    operation: 'GetProjectStorage',
    method: 'GET',
    path: '/api/v1/projects/{id}/storage/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query GetProjectStorage($id: Int!) {
  body: projectStorage(projectId: $id) {
    used_bytes: usedBytes
    limit_bytes: limitBytes
  }
}`,
  },
  {
    operation: 'SendWorkflowEvent',
    method: 'POST',
    path: '/api/v1/projects/{id}/workflow-events/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation SendWorkflowEvent($id: Int!, $name: String!, $correlation_key: String, $payload: JSON) {
  workflowEventSend(
    projectId: $id
    name: $name
    correlationKey: $correlation_key
    payload: $payload
  ) {
    body: event {
      id
      name
      correlation_key: correlationKey
      sent_at: sentAt
    }
  }
}`,
  },
  {
    operation: 'ListApiDefinitions',
    method: 'GET',
    path: '/api/v1/projects/{project}/api-definitions/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListApiDefinitions($project: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: apiDefinitions(projectId: $project, page: $page, size: $size) {
    page
    size
    total
    items {
      ...ApiDefinition
    }
  }
}

fragment ApiDefinition on ApiDefinition {
  id
  project: projectId
  name
  title
  version
  source_url: sourceUrl
  base_url: baseUrl
  connection: connectionId
  operations_count: operationsCount
  skipped_operations: skippedOperations
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListConnections',
    method: 'GET',
    path: '/api/v1/projects/{project}/connections/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListConnections($project: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: projectConnections(projectId: $project, page: $page, size: $size) {
    page
    size
    total
    items {
      ...Connection
    }
  }
}

fragment Connection on ConnectedService {
  id
  project: projectId
  name
  kind
  preset
  settings {
    base_url: baseUrl
    test_path: testPath
    placement
    key_name: keyName
    key_prefix: keyPrefix
    username
    host
    port
    database
    tls
    authorization_url: authorizationUrl
    token_url: tokenUrl
    client_id: clientId
    client_authentication: clientAuthentication
    scopes
  }
  allowed_hosts: allowedHosts
  has_secret: hasSecret
  secret_changed_at: secretChangedAt
  is_authorized: isAuthorized
  refresh_at: refreshAt
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListProjectEnvironments',
    method: 'GET',
    path: '/api/v1/projects/{project}/environments/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListProjectEnvironments($project: Int!) {
  body: projectEnvironments(projectId: $project) {
    id
    project: projectId
    name
    created_at: createdAt
  }
}`,
  },
  {
    operation: 'ListFiles',
    method: 'GET',
    path: '/api/v1/projects/{project}/files/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListFiles($project: Int!, $run_id: UUID, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: projectFiles(
    projectId: $project
    runId: $run_id
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...ProjectFile
    }
  }
}

fragment ProjectFile on ProjectFile {
  file_id: id
  project: projectId
  run_id: runId
  name
  content_type: contentType
  size
  sha256
  url
  created_at: createdAt
}`,
  },
  {
    operation: 'ListKeyValueEntries',
    method: 'GET',
    path: '/api/v1/projects/{project}/key-value-entries/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListKeyValueEntries($project: Int!, $prefix: String, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: keyValueEntries(
    projectId: $project
    prefix: $prefix
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...KeyValueEntry
    }
  }
}

fragment KeyValueEntry on KeyValueEntry {
  id
  project: projectId
  key
  value
  version
  expires_at: expiresAt
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListMcpServerTools',
    method: 'GET',
    path: '/api/v1/projects/{project}/mcp-server-tools/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListMcpServerTools($project: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: mcpServerTools(projectId: $project, page: $page, size: $size) {
    page
    size
    total
    items {
      ...McpServerTool
    }
  }
}

fragment McpServerTool on McpServerTool {
  workflow: workflowId
  project: projectId
  name
  description
  is_enabled: isEnabled
  input_schema: inputSchema
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListProjectVariables',
    method: 'GET',
    path: '/api/v1/projects/{project}/project-variables/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListProjectVariables($project: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: projectVariables(projectId: $project, page: $page, size: $size) {
    page
    size
    total
    items {
      ...ProjectVariable
    }
  }
}

fragment ProjectVariable on ProjectVariable {
  id
  project: projectId
  name
  value
  is_secret: isSecret
  allowed_hosts: allowedHosts
  values {
    environment_id: environmentId
    environment
    value
    updated_at: updatedAt
  }
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListPrompts',
    method: 'GET',
    path: '/api/v1/prompts/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListPrompts($key: String, $project: Int @range(min: 1), $scenariorun: Int @orBoolean(variable: "has_scenario_run", fault: "Must be true, false or the id of a scenario run."), $has_scenario_run: Boolean, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: prompts(
    filter: {keyContains: $key, projectId: $project, scenarioRunId: $scenariorun, hasScenarioRun: $has_scenario_run}
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...Prompt
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Prompt on Prompt {
  id
  key
  role
  content
  project: projectId
  prompt_conditions: promptConditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'CreatePrompt',
    method: 'POST',
    path: '/api/v1/prompts/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreatePrompt($key: String!, $role: PromptRole!, $content: String!, $project: Int, $prompt_conditions: [ConditionInput!]) @unused(members: ["sort_id"]) {
  promptCreate(
    input: {key: $key, role: $role, content: $content, projectId: $project, promptConditions: $prompt_conditions}
  ) {
    body: prompt {
      ...Prompt
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Prompt on Prompt {
  id
  key
  role
  content
  project: projectId
  prompt_conditions: promptConditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrievePrompt',
    method: 'GET',
    path: '/api/v1/prompts/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrievePrompt($id: Int!) {
  body: prompt(id: $id) {
    ...Prompt
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Prompt on Prompt {
  id
  key
  role
  content
  project: projectId
  prompt_conditions: promptConditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdatePrompt',
    method: 'PATCH',
    path: '/api/v1/prompts/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdatePrompt($id: Int!, $key: String, $role: PromptRole, $content: String, $prompt_conditions: [ConditionInput!]) {
  promptUpdate(
    id: $id
    input: {key: $key, role: $role, content: $content, promptConditions: $prompt_conditions}
  ) {
    body: prompt {
      ...Prompt
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Prompt on Prompt {
  id
  key
  role
  content
  project: projectId
  prompt_conditions: promptConditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeletePrompt',
    method: 'DELETE',
    path: '/api/v1/prompts/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeletePrompt($id: Int!) {
  promptDelete(id: $id) {
    body: prompt {
      id
    }
  }
}`,
  },
  {
    operation: 'ReorderPrompt',
    method: 'POST',
    path: '/api/v1/prompts/{id}/reorder/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 400 },
    document: `mutation ReorderPrompt($id: Int!, $sort_id: Int!) {
  promptReorder(id: $id, sortId: $sort_id) {
    body: prompt {
      ...Prompt
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Prompt on Prompt {
  id
  key
  role
  content
  project: projectId
  prompt_conditions: promptConditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListRecognitionrunChunks',
    method: 'GET',
    path: '/api/v1/recognitionrun-chunks/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListRecognitionrunChunks($recognitionrun: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: recognitionChunks(
    recognitionRunId: $recognitionrun
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...RecognitionrunChunk
    }
  }
}

fragment RecognitionrunChunk on RecognitionChunk {
  id
  recognitionrun: recognitionRunId
  index
  text
  tokens
  page
  is_enabled: isEnabled
  created_at: createdAt
}`,
  },
  {
    operation: 'RetrieveRecognitionrunChunk',
    method: 'GET',
    path: '/api/v1/recognitionrun-chunks/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveRecognitionrunChunk($id: Int!) {
  body: recognitionChunk(id: $id) {
    ...RecognitionrunChunk
  }
}

fragment RecognitionrunChunk on RecognitionChunk {
  id
  recognitionrun: recognitionRunId
  index
  text
  tokens
  page
  is_enabled: isEnabled
  created_at: createdAt
}`,
  },
  {
    operation: 'ListRecognitionruns',
    method: 'GET',
    path: '/api/v1/recognitionruns/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListRecognitionruns($project: Int @range(min: 1), $document: Int, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: recognitionRuns(
    filter: {projectId: $project, documentId: $document}
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...Recognitionrun
    }
  }
}

fragment Recognitionrun on RecognitionRun {
  id
  project: projectId
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  cost
  chunk_size: chunkSize
  document: documentId
  chunks_count: chunksCount
  progress
  error
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'CreateRecognitionrun',
    method: 'POST',
    path: '/api/v1/recognitionruns/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateRecognitionrun($project: Int!, $document: Int!, $chunk_size: Int @range(min: 50, max: 8000)) {
  recognitionRunCreate(
    input: {projectId: $project, documentId: $document, chunkSize: $chunk_size}
  ) {
    body: recognitionRun {
      ...Recognitionrun
    }
  }
}

fragment Recognitionrun on RecognitionRun {
  id
  project: projectId
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  cost
  chunk_size: chunkSize
  document: documentId
  chunks_count: chunksCount
  progress
  error
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveRecognitionrun',
    method: 'GET',
    path: '/api/v1/recognitionruns/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveRecognitionrun($id: Int!) {
  body: recognitionRun(id: $id) {
    ...Recognitionrun
  }
}

fragment Recognitionrun on RecognitionRun {
  id
  project: projectId
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  cost
  chunk_size: chunkSize
  document: documentId
  chunks_count: chunksCount
  progress
  error
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DisableRecognitionrunChunks',
    method: 'POST',
    path: '/api/v1/recognitionruns/{id}/disable-chunks/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DisableRecognitionrunChunks($id: Int!) {
  recognitionRunChunksEnable(id: $id, isEnabled: false) {
    body: recognitionRun {
      ...Recognitionrun
    }
  }
}

fragment Recognitionrun on RecognitionRun {
  id
  project: projectId
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  cost
  chunk_size: chunkSize
  document: documentId
  chunks_count: chunksCount
  progress
  error
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'EnableRecognitionrunChunks',
    method: 'POST',
    path: '/api/v1/recognitionruns/{id}/enable-chunks/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation EnableRecognitionrunChunks($id: Int!) {
  recognitionRunChunksEnable(id: $id, isEnabled: true) {
    body: recognitionRun {
      ...Recognitionrun
    }
  }
}

fragment Recognitionrun on RecognitionRun {
  id
  project: projectId
  status @choices(of: [{sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  cost
  chunk_size: chunkSize
  document: documentId
  chunks_count: chunksCount
  progress
  error
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DisableRecognitionrunChunk',
    method: 'POST',
    path: '/api/v1/recognitionruns/{recognitionrun}/disable-chunk/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DisableRecognitionrunChunk($recognitionrun: Int!, $id: Int!) {
  recognitionChunkEnable(
    recognitionRunId: $recognitionrun
    id: $id
    isEnabled: false
  ) {
    body: recognitionChunk {
      ...RecognitionrunChunk
    }
  }
}

fragment RecognitionrunChunk on RecognitionChunk {
  id
  recognitionrun: recognitionRunId
  index
  text
  tokens
  page
  is_enabled: isEnabled
  created_at: createdAt
}`,
  },
  {
    operation: 'EnableRecognitionrunChunk',
    method: 'POST',
    path: '/api/v1/recognitionruns/{recognitionrun}/enable-chunk/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation EnableRecognitionrunChunk($recognitionrun: Int!, $id: Int!) {
  recognitionChunkEnable(
    recognitionRunId: $recognitionrun
    id: $id
    isEnabled: true
  ) {
    body: recognitionChunk {
      ...RecognitionrunChunk
    }
  }
}

fragment RecognitionrunChunk on RecognitionChunk {
  id
  recognitionrun: recognitionRunId
  index
  text
  tokens
  page
  is_enabled: isEnabled
  created_at: createdAt
}`,
  },
  {
    operation: 'GetWorkflowRehearsal',
    method: 'GET',
    path: '/api/v1/rehearsals/{rehearsal_id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query GetWorkflowRehearsal($rehearsal_id: UUID!) {
  body: workflowRehearsal(id: $rehearsal_id) {
    ...WorkflowRehearsal
  }
}

fragment RehearsalMoney on Money {
  USD: usd
  SR: sr
}

fragment WorkflowRehearsal on WorkflowRehearsal {
  id
  workflow: workflowId
  kind
  state
  revision: revisionNumber
  verdict
  error
  runs_count: runsCount
  ended_count: endedCount
  budget {
    ...RehearsalMoney
  }
  spent {
    ...RehearsalMoney
  }
  cost_before: costBefore {
    ...RehearsalMoney
  }
  cost_after: costAfter {
    ...RehearsalMoney
  }
  finding {
    cause
    revision: revisionNumber
    previous_revision: previousNumber
    model_before: modelBefore
    model_after: modelAfter
    node_ids: nodeIds
    changes_count: changesCount
    replays_count: replaysCount
  }
  created_at: createdAt
  finished_at: finishedAt
}`,
  },
  {
    operation: 'CancelWorkflowRehearsal',
    method: 'POST',
    path: '/api/v1/rehearsals/{rehearsal_id}/cancel/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation CancelWorkflowRehearsal($rehearsal_id: UUID!) {
  workflowRehearsalCancel(id: $rehearsal_id) {
    body: rehearsal {
      ...WorkflowRehearsal
    }
  }
}

fragment RehearsalMoney on Money {
  USD: usd
  SR: sr
}

fragment WorkflowRehearsal on WorkflowRehearsal {
  id
  workflow: workflowId
  kind
  state
  revision: revisionNumber
  verdict
  error
  runs_count: runsCount
  ended_count: endedCount
  budget {
    ...RehearsalMoney
  }
  spent {
    ...RehearsalMoney
  }
  cost_before: costBefore {
    ...RehearsalMoney
  }
  cost_after: costAfter {
    ...RehearsalMoney
  }
  finding {
    cause
    revision: revisionNumber
    previous_revision: previousNumber
    model_before: modelBefore
    model_after: modelAfter
    node_ids: nodeIds
    changes_count: changesCount
    replays_count: replaysCount
  }
  created_at: createdAt
  finished_at: finishedAt
}`,
  },
  {
    operation: 'ListRehearsedRuns',
    method: 'GET',
    path: '/api/v1/rehearsals/{rehearsal_id}/runs/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListRehearsedRuns($rehearsal_id: UUID!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: workflowRehearsedRuns(
    rehearsalId: $rehearsal_id
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      id
      run: runId
      revision: revisionNumber
      outcome
      first_change: firstChange {
        ...WorkflowRehearsalChange
      }
      changes {
        ...WorkflowRehearsalChange
      }
      output_before: outputBefore
      output_after: outputAfter
      error_before: errorBefore
      error_after: errorAfter
      cost_before: costBefore {
        ...RehearsalMoney
      }
      cost_after: costAfter {
        ...RehearsalMoney
      }
      duration_before_ms: durationBeforeMs
      duration_after_ms: durationAfterMs
      executed_count: executedCount
      reused_count: reusedCount
      assumed_node_ids: assumedNodeIds
      held_node_ids: heldNodeIds
      is_bad: isBad
    }
  }
}

fragment RehearsalMoney on Money {
  USD: usd
  SR: sr
}

fragment WorkflowRehearsalChange on WorkflowRehearsalChange {
  node_id: nodeId
  label
  before
  after
}`,
  },
  {
    operation: 'ApproveAgentRequest',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/agent-approvals/{request_id}/approve/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation ApproveAgentRequest($run_id: UUID!, $request_id: UUID!, $comment: String, $edited_arguments: JSON) {
  agentApprovalApprove(
    runId: $run_id
    requestId: $request_id
    comment: $comment
    editedArguments: $edited_arguments
  ) {
    body: receipt {
      ...AgentApprovalReceipt
    }
  }
}

fragment AgentApprovalReceipt on AgentApprovalReceipt {
  status
  data {
    id: runId
    request_id: requestId
    decision
  }
}`,
  },
  {
    operation: 'RejectAgentRequest',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/agent-approvals/{request_id}/reject/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation RejectAgentRequest($run_id: UUID!, $request_id: UUID!, $comment: String) {
  agentApprovalReject(runId: $run_id, requestId: $request_id, comment: $comment) {
    body: receipt {
      ...AgentApprovalReceipt
    }
  }
}

fragment AgentApprovalReceipt on AgentApprovalReceipt {
  status
  data {
    id: runId
    request_id: requestId
    decision
  }
}`,
  },
  {
    operation: 'PreviewWorkflowRunEffects',
    method: 'GET',
    path: '/api/v1/runs/{run_id}/effects/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 403, CONFLICT: 409 },
    document: `query PreviewWorkflowRunEffects($run_id: UUID!, $action: WorkflowRunAction!, $node_id: String, $revision: WorkflowRunRevision, $revision_number: Int, $reuse_results: Boolean! = false) {
  body: workflowRunEffects(
    id: $run_id
    action: $action
    nodeId: $node_id
    revision: $revision
    revisionNumber: $revision_number
    reuseResults: $reuse_results
  ) {
    nodes {
      node_id: nodeId
      label
      type
      made_count: madeCount
      open_count: openCount
      reused_count: reusedCount
      repeated_count: repeatedCount
      new_count: newCount
      is_certain: isCertain
      idempotency_keys: idempotencyKeys
      expected_cost: expectedCost {
        USD: usd
        SR: sr
      }
    }
    expected_cost: expectedCost {
      USD: usd
      SR: sr
    }
    unknown_cost_count: unknownCostCount
  }
}`,
  },
  {
    operation: 'ForkWorkflowRun',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/fork/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation ForkWorkflowRun($run_id: UUID!, $node_id: String, $input: JSON, $revision: WorkflowRunRevision, $revision_number: Int) {
  workflowRunFork(
    id: $run_id
    nodeId: $node_id
    input: $input
    revision: $revision
    revisionNumber: $revision_number
  ) {
    body: receipt {
      ...RunReceipt
    }
  }
}

fragment RunReceipt on WorkflowRunReceipt {
  status
  data {
    id: runId
    ...RunResultStatus
    data
    error @omitNull {
      code
      message
    }
  }
}

fragment RunResultStatus on WorkflowRunResult {
  status @choices(of: [{sent: "in queue", value: "QUEUED"}, {sent: "in progress", value: "RUNNING"}, {sent: "in progress", value: "WAITING"}, {sent: "succeed", value: "SUCCEEDED"}, {sent: "failed", value: "FAILED"}, {sent: "failed", value: "CANCELLED"}, {sent: "not found", value: "DRAFT"}, {sent: "not found", value: "EXPIRED"}])
}`,
  },
  {
    operation: 'RunScenario',
    method: 'POST',
    path: '/api/v1/scenarioruns/run/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: { BUDGET_EXCEEDED: 402 },
    document: `mutation RunScenario($scenario: Int, $scenariorun: Int, $webhook_url: String, $do_run_default: Boolean, $messages: [ScenarioRunMessageInput!], $variables: [ScenarioRunVariableInput!], $inserted_variables: [InsertedVariableInput!]) {
  scenarioRunStart(
    input: {scenarioId: $scenario, scenarioRunId: $scenariorun, webhookUrl: $webhook_url, doRunDefault: $do_run_default, messages: $messages, variables: $variables, insertedVariables: $inserted_variables}
  ) {
    body: scenarioRun {
      ...ScenarioRun
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status @choices(of: [{sent: "cancelled", value: "CANCELLED"}, {sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id: localId
    variable: variableId
    variable_name: variableNameId
    value
  }
  local_variables: localVariables {
    message: messageId
    name
    value
  }
  processed_messages: processedMessages {
    message: messageId
    key
    status @choices(of: [{sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}, {sent: "skipped", value: "SKIPPED"}])
    results
    tokens {
      prompt
      completion
      total
    }
    cost {
      USD: usd
      SR: sr
    }
    error {
      code
      message
    }
    finish_reason: finishReason
  }
  tokens {
    prompt
    completion
    total
  }
  cost {
    USD: usd
    SR: sr
  }
  final_result: finalResult
  error {
    code
    message
  }
  created_at: createdAt
  updated_at: updatedAt
  started_at: startedAt
  finished_at: finishedAt
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveScenarioRun',
    method: 'GET',
    path: '/api/v1/scenarioruns/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveScenarioRun($id: Int!) {
  body: scenarioRun(id: $id) {
    ...ScenarioRun
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status @choices(of: [{sent: "cancelled", value: "CANCELLED"}, {sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id: localId
    variable: variableId
    variable_name: variableNameId
    value
  }
  local_variables: localVariables {
    message: messageId
    name
    value
  }
  processed_messages: processedMessages {
    message: messageId
    key
    status @choices(of: [{sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}, {sent: "skipped", value: "SKIPPED"}])
    results
    tokens {
      prompt
      completion
      total
    }
    cost {
      USD: usd
      SR: sr
    }
    error {
      code
      message
    }
    finish_reason: finishReason
  }
  tokens {
    prompt
    completion
    total
  }
  cost {
    USD: usd
    SR: sr
  }
  final_result: finalResult
  error {
    code
    message
  }
  created_at: createdAt
  updated_at: updatedAt
  started_at: startedAt
  finished_at: finishedAt
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateScenarioRun',
    method: 'PATCH',
    path: '/api/v1/scenarioruns/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateScenarioRun($id: Int!, $webhook_url: String, $do_run_default: Boolean, $messages: [ScenarioRunMessageInput!], $variables: [ScenarioRunVariableInput!], $inserted_variables: [InsertedVariableInput!]) {
  scenarioRunUpdate(
    id: $id
    input: {webhookUrl: $webhook_url, doRunDefault: $do_run_default, messages: $messages, variables: $variables, insertedVariables: $inserted_variables}
  ) {
    body: scenarioRun {
      ...ScenarioRun
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status @choices(of: [{sent: "cancelled", value: "CANCELLED"}, {sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id: localId
    variable: variableId
    variable_name: variableNameId
    value
  }
  local_variables: localVariables {
    message: messageId
    name
    value
  }
  processed_messages: processedMessages {
    message: messageId
    key
    status @choices(of: [{sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}, {sent: "skipped", value: "SKIPPED"}])
    results
    tokens {
      prompt
      completion
      total
    }
    cost {
      USD: usd
      SR: sr
    }
    error {
      code
      message
    }
    finish_reason: finishReason
  }
  tokens {
    prompt
    completion
    total
  }
  cost {
    USD: usd
    SR: sr
  }
  final_result: finalResult
  error {
    code
    message
  }
  created_at: createdAt
  updated_at: updatedAt
  started_at: startedAt
  finished_at: finishedAt
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteScenarioRun',
    method: 'DELETE',
    path: '/api/v1/scenarioruns/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteScenarioRun($id: Int!) {
  scenarioRunDelete(id: $id) {
    body: scenarioRun {
      id
    }
  }
}`,
  },
  {
    operation: 'CancelScenarioRun',
    method: 'POST',
    path: '/api/v1/scenarioruns/{id}/cancel/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation CancelScenarioRun($id: Int!) {
  scenarioRunCancel(id: $id) {
    body: scenarioRun {
      ...ScenarioRun
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status @choices(of: [{sent: "cancelled", value: "CANCELLED"}, {sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id: localId
    variable: variableId
    variable_name: variableNameId
    value
  }
  local_variables: localVariables {
    message: messageId
    name
    value
  }
  processed_messages: processedMessages {
    message: messageId
    key
    status @choices(of: [{sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}, {sent: "skipped", value: "SKIPPED"}])
    results
    tokens {
      prompt
      completion
      total
    }
    cost {
      USD: usd
      SR: sr
    }
    error {
      code
      message
    }
    finish_reason: finishReason
  }
  tokens {
    prompt
    completion
    total
  }
  cost {
    USD: usd
    SR: sr
  }
  final_result: finalResult
  error {
    code
    message
  }
  created_at: createdAt
  updated_at: updatedAt
  started_at: startedAt
  finished_at: finishedAt
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateInsertedVariable',
    method: 'PATCH',
    path: '/api/v1/scenarioruns/{run}/update-inserted-variable/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateInsertedVariable($run: Int!, $id: Int!, $value: String!, $variable: Int, $variable_name: Int) {
  scenarioRunInsertedVariableUpdate(
    id: $run
    input: {id: $id, value: $value, variableId: $variable, variableNameId: $variable_name}
  ) {
    body: scenarioRun {
      ...ScenarioRun
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status @choices(of: [{sent: "cancelled", value: "CANCELLED"}, {sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id: localId
    variable: variableId
    variable_name: variableNameId
    value
  }
  local_variables: localVariables {
    message: messageId
    name
    value
  }
  processed_messages: processedMessages {
    message: messageId
    key
    status @choices(of: [{sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}, {sent: "skipped", value: "SKIPPED"}])
    results
    tokens {
      prompt
      completion
      total
    }
    cost {
      USD: usd
      SR: sr
    }
    error {
      code
      message
    }
    finish_reason: finishReason
  }
  tokens {
    prompt
    completion
    total
  }
  cost {
    USD: usd
    SR: sr
  }
  final_result: finalResult
  error {
    code
    message
  }
  created_at: createdAt
  updated_at: updatedAt
  started_at: startedAt
  finished_at: finishedAt
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateScenarioRunMessage',
    method: 'PATCH',
    path: '/api/v1/scenarioruns/{run}/update-message/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateScenarioRunMessage($run: Int!, $id: Int, $key: String, $provider: String, $return_type: MessageReturnType, $parameters: JSON, $is_loop: Boolean, $loop_count: Int @range(min: 1, max: 1000), $loop_variable: Int, $is_async: Boolean, $prompts: [Int!], $conditions: [ConditionInput!]) @unused(members: ["project", "sort_id"]) {
  scenarioRunMessageUpdate(
    id: $run
    input: {id: $id, key: $key, provider: $provider, returnType: $return_type, parameters: $parameters, isLoop: $is_loop, loopCount: $loop_count, loopVariableId: $loop_variable, isAsync: $is_async, promptIds: $prompts, conditions: $conditions}
  ) {
    body: scenarioRun {
      ...ScenarioRun
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status @choices(of: [{sent: "cancelled", value: "CANCELLED"}, {sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id: localId
    variable: variableId
    variable_name: variableNameId
    value
  }
  local_variables: localVariables {
    message: messageId
    name
    value
  }
  processed_messages: processedMessages {
    message: messageId
    key
    status @choices(of: [{sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}, {sent: "skipped", value: "SKIPPED"}])
    results
    tokens {
      prompt
      completion
      total
    }
    cost {
      USD: usd
      SR: sr
    }
    error {
      code
      message
    }
    finish_reason: finishReason
  }
  tokens {
    prompt
    completion
    total
  }
  cost {
    USD: usd
    SR: sr
  }
  final_result: finalResult
  error {
    code
    message
  }
  created_at: createdAt
  updated_at: updatedAt
  started_at: startedAt
  finished_at: finishedAt
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateScenarioRunVariable',
    method: 'PATCH',
    path: '/api/v1/scenarioruns/{run}/update-variable/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateScenarioRunVariable($run: Int!, $id: Int, $key: String, $variable_names: [VariableNameInput!], $value: String) @unused(members: ["project"]) {
  scenarioRunVariableUpdate(
    id: $run
    input: {id: $id, key: $key, variableNames: $variable_names, value: $value}
  ) {
    body: scenarioRun {
      ...ScenarioRun
    }
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status @choices(of: [{sent: "cancelled", value: "CANCELLED"}, {sent: "created", value: "QUEUED"}, {sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}])
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id: localId
    variable: variableId
    variable_name: variableNameId
    value
  }
  local_variables: localVariables {
    message: messageId
    name
    value
  }
  processed_messages: processedMessages {
    message: messageId
    key
    status @choices(of: [{sent: "error", value: "FAILED"}, {sent: "finished", value: "SUCCEEDED"}, {sent: "in_progress", value: "RUNNING"}, {sent: "skipped", value: "SKIPPED"}])
    results
    tokens {
      prompt
      completion
      total
    }
    cost {
      USD: usd
      SR: sr
    }
    error {
      code
      message
    }
    finish_reason: finishReason
  }
  tokens {
    prompt
    completion
    total
  }
  cost {
    USD: usd
    SR: sr
  }
  final_result: finalResult
  error {
    code
    message
  }
  created_at: createdAt
  updated_at: updatedAt
  started_at: startedAt
  finished_at: finishedAt
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListScenarios',
    method: 'GET',
    path: '/api/v1/scenarios/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListScenarios($name__icontains: String, $project: Int @range(min: 1), $scenariorun: Int, $scenariorun__isnull: Boolean @negated, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: scenarios(
    filter: {nameContains: $name__icontains, projectId: $project, scenarioRunId: $scenariorun, hasScenarioRun: $scenariorun__isnull}
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...Scenario
    }
  }
}

fragment Scenario on Scenario {
  id
  name
  project: projectId
  category: categoryId
  subcategory: subcategoryId
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  messages: messageIds
  available_languages: availableLanguages
  market_title: marketTitle
  short_description: shortDescription
  market_permission: marketPermission
  readme_guide: readmeGuide
  sort_id: sortId
  scenariorun: scenarioRunId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'CreateScenario',
    method: 'POST',
    path: '/api/v1/scenarios/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateScenario($name: String!, $project: Int!, $category: Int!, $subcategory: Int, $run_fee: Int! @range(min: 0, max: 999), $free_runs_per_user: Int! @range(min: 0), $messages: [Int!]!, $available_languages: [String!], $market_title: String, $short_description: String, $market_permission: MarketPermission, $readme_guide: String) {
  scenarioCreate(
    input: {name: $name, projectId: $project, categoryId: $category, subcategoryId: $subcategory, runFee: $run_fee, freeRunsPerUser: $free_runs_per_user, messageIds: $messages, availableLanguages: $available_languages, marketTitle: $market_title, shortDescription: $short_description, marketPermission: $market_permission, readmeGuide: $readme_guide}
  ) {
    body: scenario {
      ...Scenario
    }
  }
}

fragment Scenario on Scenario {
  id
  name
  project: projectId
  category: categoryId
  subcategory: subcategoryId
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  messages: messageIds
  available_languages: availableLanguages
  market_title: marketTitle
  short_description: shortDescription
  market_permission: marketPermission
  readme_guide: readmeGuide
  sort_id: sortId
  scenariorun: scenarioRunId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveScenario',
    method: 'GET',
    path: '/api/v1/scenarios/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveScenario($id: Int!) {
  body: scenario(id: $id) {
    ...ScenarioDetail
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable: variableId
  variable_name: variableNameId
  message: messageId
  ignore_case: ignoreCase
}

fragment Message on Message {
  id
  key
  project: projectId
  provider
  return_type: returnType
  parameters
  is_loop: isLoop
  loop_count: loopCount
  loop_variable: loopVariableId
  is_async: isAsync
  prompts: promptIds
  conditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment Prompt on Prompt {
  id
  key
  role
  content
  project: projectId
  prompt_conditions: promptConditions {
    ...Condition
  }
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioDetail on Scenario {
  id
  name
  project: projectId
  category: categoryId
  subcategory: subcategoryId
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  messages {
    ...Message
  }
  available_languages: availableLanguages
  market_title: marketTitle
  short_description: shortDescription
  market_permission: marketPermission
  readme_guide: readmeGuide
  sort_id: sortId
  scenariorun: scenarioRunId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
  project_info: project {
    id
    name
    can_edit: canEdit
  }
  category_info: category {
    id
    name
  }
  variables {
    ...Variable
  }
  prompts {
    ...Prompt
  }
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateScenario',
    method: 'PATCH',
    path: '/api/v1/scenarios/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateScenario($id: Int!, $name: String, $category: Int, $subcategory: Int, $run_fee: Int @range(min: 0, max: 999), $free_runs_per_user: Int @range(min: 0), $messages: [Int!], $available_languages: [String!], $market_title: String, $short_description: String, $market_permission: MarketPermission, $readme_guide: String) {
  scenarioUpdate(
    id: $id
    input: {name: $name, categoryId: $category, subcategoryId: $subcategory, runFee: $run_fee, freeRunsPerUser: $free_runs_per_user, messageIds: $messages, availableLanguages: $available_languages, marketTitle: $market_title, shortDescription: $short_description, marketPermission: $market_permission, readmeGuide: $readme_guide}
  ) {
    body: scenario {
      ...Scenario
    }
  }
}

fragment Scenario on Scenario {
  id
  name
  project: projectId
  category: categoryId
  subcategory: subcategoryId
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  messages: messageIds
  available_languages: availableLanguages
  market_title: marketTitle
  short_description: shortDescription
  market_permission: marketPermission
  readme_guide: readmeGuide
  sort_id: sortId
  scenariorun: scenarioRunId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteScenario',
    method: 'DELETE',
    path: '/api/v1/scenarios/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteScenario($id: Int!) {
  scenarioDelete(id: $id) {
    body: scenario {
      id
    }
  }
}`,
  },
  {
    operation: 'ReorderScenario',
    method: 'POST',
    path: '/api/v1/scenarios/{id}/reorder/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 400 },
    document: `mutation ReorderScenario($id: Int!, $sort_id: Int!) {
  scenarioReorder(id: $id, sortId: $sort_id) {
    body: scenario {
      ...Scenario
    }
  }
}

fragment Scenario on Scenario {
  id
  name
  project: projectId
  category: categoryId
  subcategory: subcategoryId
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  messages: messageIds
  available_languages: availableLanguages
  market_title: marketTitle
  short_description: shortDescription
  market_permission: marketPermission
  readme_guide: readmeGuide
  sort_id: sortId
  scenariorun: scenarioRunId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListSessions',
    method: 'GET',
    path: '/api/v1/sessions/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListSessions {
  body: sessions {
    id
    created_at: createdAt
    last_used_at: lastUsedAt
    expires_at: expiresAt
    address
    user_agent: userAgent
    is_current: isCurrent
  }
}`,
  },
  {
    operation: 'RevokeSession',
    method: 'DELETE',
    path: '/api/v1/sessions/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation RevokeSession($id: UUID!) {
  sessionRevoke(ids: [$id]) {
    body: revokedSessions
  }
}`,
  },
  {
    operation: 'ReadSignInOptions',
    method: 'GET',
    path: '/api/v1/sign-in-options/',
    status: 200,
    auth: 'NONE',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { UNAUTHENTICATED: 401 },
    document: `query ReadSignInOptions {
  body: signInOptions {
    is_reset_by_email_available: isResetByEmailAvailable
    oidc {
      name
      start_url: startUrl
    }
  }
}`,
  },
  {
    operation: 'CreateSession',
    method: 'POST',
    path: '/api/v1/token/',
    status: 200,
    auth: 'NONE',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { UNAUTHENTICATED: 401 },
    document: `mutation CreateSession($email: String!, $password: String!) {
  sessionCreate(email: $email, password: $password) {
    body: session {
      ...Session
    }
  }
}

fragment Session on Session {
  access
  refresh
}`,
  },
  {
    operation: 'RefreshSession',
    method: 'POST',
    path: '/api/v1/token/refresh/',
    status: 200,
    auth: 'NONE',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { UNAUTHENTICATED: 401 },
    document: `mutation RefreshSession($refresh: String!) {
  sessionRefresh(refresh: $refresh) {
    body: session {
      ...Session
    }
  }
}

fragment Session on Session {
  access
  refresh
}`,
  },
  {
    operation: 'RetrieveWorkflowTrigger',
    method: 'GET',
    path: '/api/v1/triggers/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveWorkflowTrigger($id: Int!) {
  body: workflowTrigger(id: $id) {
    ...WorkflowTrigger
  }
}

fragment WorkflowTrigger on WorkflowTrigger {
  id
  workflow: workflowId
  project: projectId
  name
  kind @choices(of: [{sent: "schedule", value: "SCHEDULE"}, {sent: "webhook", value: "WEBHOOK"}, {sent: "event", value: "EVENT"}, {sent: "failure", value: "FAILURE"}, {sent: "form", value: "FORM"}, {sent: "chat", value: "CHAT"}])
  is_enabled: isEnabled
  is_paused: isPaused
  input
  environment
  schedule {
    cron
    rrule
    at
    time_zone: timeZone
    jitter_seconds: jitterSeconds
    overlap
    missed
    max_missed: maxMissed
  }
  webhook {
    methods
    verification
    header_name: headerName
    tolerance_seconds: toleranceSeconds
    max_body_bytes: maxBodyBytes
    reply
    wait_seconds: waitSeconds
    mapping
  }
  event {
    name
    correlation_key: correlationKey
    mapping
  }
  failure {
    workflows: workflowIds
  }
  form {
    title
    description
    submit_label: submitLabel
    thanks
    shows_result: showsResult
    wait_seconds: waitSeconds
    access
  }
  chat {
    title
    greeting
    access
    allowed_origins: allowedOrigins
    history_messages: historyMessages
    wait_seconds: waitSeconds
    shows_steps: showsSteps
    mapping
  }
  path
  next_at: nextAt
  last_run_id: lastRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateWorkflowTrigger',
    method: 'PATCH',
    path: '/api/v1/triggers/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateWorkflowTrigger($id: Int!, $name: String, $is_enabled: Boolean, $input: JSON, $environment: String, $schedule: TriggerScheduleInput, $webhook: TriggerWebhookInput, $event: TriggerEventInput, $failure: TriggerFailureInput, $form: TriggerFormInput, $chat: TriggerChatInput) {
  workflowTriggerUpdate(
    id: $id
    input: {name: $name, isEnabled: $is_enabled, input: $input, environment: $environment, schedule: $schedule, webhook: $webhook, event: $event, failure: $failure, form: $form, chat: $chat}
  ) {
    body: workflowTrigger {
      ...WorkflowTrigger
    }
  }
}

fragment WorkflowTrigger on WorkflowTrigger {
  id
  workflow: workflowId
  project: projectId
  name
  kind @choices(of: [{sent: "schedule", value: "SCHEDULE"}, {sent: "webhook", value: "WEBHOOK"}, {sent: "event", value: "EVENT"}, {sent: "failure", value: "FAILURE"}, {sent: "form", value: "FORM"}, {sent: "chat", value: "CHAT"}])
  is_enabled: isEnabled
  is_paused: isPaused
  input
  environment
  schedule {
    cron
    rrule
    at
    time_zone: timeZone
    jitter_seconds: jitterSeconds
    overlap
    missed
    max_missed: maxMissed
  }
  webhook {
    methods
    verification
    header_name: headerName
    tolerance_seconds: toleranceSeconds
    max_body_bytes: maxBodyBytes
    reply
    wait_seconds: waitSeconds
    mapping
  }
  event {
    name
    correlation_key: correlationKey
    mapping
  }
  failure {
    workflows: workflowIds
  }
  form {
    title
    description
    submit_label: submitLabel
    thanks
    shows_result: showsResult
    wait_seconds: waitSeconds
    access
  }
  chat {
    title
    greeting
    access
    allowed_origins: allowedOrigins
    history_messages: historyMessages
    wait_seconds: waitSeconds
    shows_steps: showsSteps
    mapping
  }
  path
  next_at: nextAt
  last_run_id: lastRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteWorkflowTrigger',
    method: 'DELETE',
    path: '/api/v1/triggers/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteWorkflowTrigger($id: Int!) {
  workflowTriggerDelete(id: $id) {
    body: workflowTrigger {
      id
    }
  }
}`,
  },
  {
    operation: 'RetrieveMemberChat',
    method: 'GET',
    path: '/api/v1/triggers/{id}/chat/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { CONFLICT: 409 },
    document: `query RetrieveMemberChat($id: Int!, $conversation_id: UUID) {
  body: memberChat(id: $id, conversationId: $conversation_id) {
    title
    greeting
    messages {
      run_id: runId
      text
      answer
      state
      created_at: createdAt
    }
  }
}`,
  },
  {
    operation: 'SendMemberChatMessage',
    method: 'POST',
    path: '/api/v1/triggers/{id}/chat/messages/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation SendMemberChatMessage($id: Int!, $conversation_id: UUID!, $message_id: UUID!, $text: String!) {
  memberChatSend(
    id: $id
    message: {conversationId: $conversation_id, messageId: $message_id, text: $text}
  ) {
    body: message {
      run_id: runId
      text
      answer
      state
      created_at: createdAt
    }
  }
}`,
  },
  {
    operation: 'ListTriggerConversations',
    method: 'GET',
    path: '/api/v1/triggers/{id}/conversations/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 403 },
    document: `query ListTriggerConversations($id: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: triggerConversations(triggerId: $id, page: $page, size: $size) {
    page
    size
    total
    items {
      id
      trigger: triggerId
      beginning
      message_count: messageCount
      created_at: createdAt
      updated_at: updatedAt
    }
  }
}`,
  },
  {
    operation: 'RetrieveMemberForm',
    method: 'GET',
    path: '/api/v1/triggers/{id}/form/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { CONFLICT: 409 },
    document: `query RetrieveMemberForm($id: Int!) {
  body: memberForm(id: $id) {
    title
    description
    submit_label: submitLabel
    fields
  }
}`,
  },
  {
    operation: 'SubmitMemberForm',
    method: 'POST',
    path: '/api/v1/triggers/{id}/form/submissions/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation SubmitMemberForm($id: Int!, $submission_id: UUID!, $input: JSON!) {
  memberFormSubmit(
    id: $id
    submission: {submissionId: $submission_id, input: $input}
  ) {
    body: answer {
      run_id: runId
      thanks
      result
      has_failed: hasFailed
    }
  }
}`,
  },
  {
    operation: 'ListTriggerFirings',
    method: 'GET',
    path: '/api/v1/triggers/{id}/log/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListTriggerFirings($id: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  workflowTrigger(id: $id) {
    body: firings(page: $page, size: $size) {
      page
      size
      total
      items {
        id
        outcome
        due_at: dueAt
        run_id: runId
        reason
        created_at: createdAt
      }
    }
  }
}`,
  },
  {
    operation: 'RotateWorkflowTrigger',
    method: 'POST',
    path: '/api/v1/triggers/{id}/rotate/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation RotateWorkflowTrigger($id: Int!) {
  workflowTriggerRotate(id: $id) {
    body: workflowTrigger {
      ...WorkflowTrigger
    }
  }
}

fragment WorkflowTrigger on WorkflowTrigger {
  id
  workflow: workflowId
  project: projectId
  name
  kind @choices(of: [{sent: "schedule", value: "SCHEDULE"}, {sent: "webhook", value: "WEBHOOK"}, {sent: "event", value: "EVENT"}, {sent: "failure", value: "FAILURE"}, {sent: "form", value: "FORM"}, {sent: "chat", value: "CHAT"}])
  is_enabled: isEnabled
  is_paused: isPaused
  input
  environment
  schedule {
    cron
    rrule
    at
    time_zone: timeZone
    jitter_seconds: jitterSeconds
    overlap
    missed
    max_missed: maxMissed
  }
  webhook {
    methods
    verification
    header_name: headerName
    tolerance_seconds: toleranceSeconds
    max_body_bytes: maxBodyBytes
    reply
    wait_seconds: waitSeconds
    mapping
  }
  event {
    name
    correlation_key: correlationKey
    mapping
  }
  failure {
    workflows: workflowIds
  }
  form {
    title
    description
    submit_label: submitLabel
    thanks
    shows_result: showsResult
    wait_seconds: waitSeconds
    access
  }
  chat {
    title
    greeting
    access
    allowed_origins: allowedOrigins
    history_messages: historyMessages
    wait_seconds: waitSeconds
    shows_steps: showsSteps
    mapping
  }
  path
  next_at: nextAt
  last_run_id: lastRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'CreatePasswordResetLink',
    method: 'POST',
    path: '/api/v1/users/{id}/password-reset-link/',
    status: 201,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreatePasswordResetLink($id: Int!) {
  passwordResetLinkCreate(userId: $id) {
    body: link {
      path
      expires_at: expiresAt
    }
  }
}`,
  },
  {
    operation: 'ListVariables',
    method: 'GET',
    path: '/api/v1/variables/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListVariables($key: String, $project: Int @range(min: 1), $scenariorun: Int @orBoolean(variable: "has_scenario_run", fault: "Must be true, false or the id of a scenario run."), $has_scenario_run: Boolean, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: variables(
    filter: {keyContains: $key, projectId: $project, scenarioRunId: $scenariorun, hasScenarioRun: $has_scenario_run}
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...Variable
    }
  }
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'CreateVariable',
    method: 'POST',
    path: '/api/v1/variables/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateVariable($key: String!, $project: Int!, $variable_names: [VariableNameInput!]!, $is_global: Boolean, $keywordrun: Int, $keywordrun_mode: KeywordRunMode) {
  variableCreate(
    input: {key: $key, projectId: $project, variableNames: $variable_names, isGlobal: $is_global, keywordRunId: $keywordrun, keywordRunMode: $keywordrun_mode}
  ) {
    body: variable {
      ...Variable
    }
  }
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RetrieveVariable',
    method: 'GET',
    path: '/api/v1/variables/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveVariable($id: Int!) {
  body: variable(id: $id) {
    ...Variable
  }
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateVariable',
    method: 'PATCH',
    path: '/api/v1/variables/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateVariable($id: Int!, $key: String, $variable_names: [VariableNameInput!], $is_global: Boolean, $keywordrun: Int, $keywordrun_mode: KeywordRunMode) @unused(members: ["project"]) {
  variableUpdate(
    id: $id
    input: {key: $key, variableNames: $variable_names, isGlobal: $is_global, keywordRunId: $keywordrun, keywordRunMode: $keywordrun_mode}
  ) {
    body: variable {
      ...Variable
    }
  }
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteVariable',
    method: 'DELETE',
    path: '/api/v1/variables/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteVariable($id: Int!) {
  variableDelete(id: $id) {
    body: variable {
      id
    }
  }
}`,
  },
  {
    operation: 'ReorderVariable',
    method: 'POST',
    path: '/api/v1/variables/{id}/reorder/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 400 },
    document: `mutation ReorderVariable($id: Int!, $sort_id: Int!) {
  variableReorder(id: $id, sortId: $sort_id) {
    body: variable {
      ...Variable
    }
  }
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id: localId
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordRunId
  keywordrun_mode: keywordRunMode
  sort_id: sortId
  scenariorun: scenarioRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListWorkflows',
    method: 'GET',
    path: '/api/v1/workflows/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListWorkflows($project: Int @range(min: 1), $title: String, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: workflows(
    filter: {projectId: $project, titleContains: $title}
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...Workflow
    }
  }
}

fragment Workflow on Workflow {
  id
  project: projectId
  title
  data
  sort_id: sortId
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  slug
  is_published: isPublished
  copied_from: copiedFromId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'CreateWorkflow',
    method: 'POST',
    path: '/api/v1/workflows/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateWorkflow($project: Int!, $title: String!, $data: JSON!, $market_title: String, $short_description: String, $readme_guide: String, $available_languages: [String!], $run_fee: Int @range(min: 0, max: 999), $free_runs_per_user: Int @range(min: 0), $category: Int, $subcategory: Int) {
  workflowCreate(
    input: {projectId: $project, title: $title, data: $data, marketTitle: $market_title, shortDescription: $short_description, readmeGuide: $readme_guide, availableLanguages: $available_languages, runFee: $run_fee, freeRunsPerUser: $free_runs_per_user, categoryId: $category, subcategoryId: $subcategory}
  ) {
    body: workflow {
      ...Workflow
    }
  }
}

fragment Workflow on Workflow {
  id
  project: projectId
  title
  data
  sort_id: sortId
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  slug
  is_published: isPublished
  copied_from: copiedFromId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'CheckGraph',
    method: 'POST',
    path: '/api/v1/workflows/check_workflow/',
    status: 200,
    auth: 'API_KEY',
    body: 'GRAPH',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query CheckGraph($data: JSON) {
  body: workflowCheck(data: $data) {
    ...WorkflowCheck
  }
}

fragment WorkflowCheck on WorkflowCheck {
  is_valid: isValid
  status
  data
  issues {
    code
    severity
    node_id: nodeId
    edge_id: edgeId
    path
    message
  }
}`,
  },
  {
    operation: 'UpdateExecution',
    method: 'POST',
    path: '/api/v1/workflows/execution-update/{workflow_run_id}/',
    status: 200,
    auth: 'SERVICE',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation UpdateExecution($workflow_run_id: UUID!, $status: ExecutionStatus! @choices(of: [{sent: "in queue", value: "QUEUED"}, {sent: "in progress", value: "RUNNING"}, {sent: "succeed", value: "SUCCEEDED"}, {sent: "failed", value: "FAILED"}]), $sequence: Int! @range(min: 0, max: 2147483647), $data: JSON, $output: JSON, $error: JSON, $started_at: DateTime, $finished_at: DateTime, $transactions: JSON) {
  workflowRunReport(
    id: $workflow_run_id
    input: {status: $status, sequence: $sequence, data: $data, output: $output, error: $error, startedAt: $started_at, finishedAt: $finished_at, transactions: $transactions}
  ) {
    body: delivery {
      status
      data {
        id: runId
        ...RunResultStatus
        data
        output
        error @omitNull {
          code
          message
        }
      }
    }
  }
}

fragment RunResultStatus on WorkflowRunResult {
  status @choices(of: [{sent: "in queue", value: "QUEUED"}, {sent: "in progress", value: "RUNNING"}, {sent: "in progress", value: "WAITING"}, {sent: "succeed", value: "SUCCEEDED"}, {sent: "failed", value: "FAILED"}, {sent: "failed", value: "CANCELLED"}, {sent: "not found", value: "DRAFT"}, {sent: "not found", value: "EXPIRED"}])
}`,
  },
  {
    operation: 'ListWorkflowNodes',
    method: 'GET',
    path: '/api/v1/workflows/get_nodes/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListWorkflowNodes {
  body: nodeKinds {
    node_type: nodeType
    type
    title
    description
    category
    schema
    defaults
    outputs {
      handle
      title
      description
      list
      show_if: showIf {
        path
        equals
      }
    }
  }
}`,
  },
  {
    operation: 'ListWorkflowHistory',
    method: 'GET',
    path: '/api/v1/workflows/history/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { NOT_FOUND: 404 },
    document: `query ListWorkflowHistory($workflow_id: Int!, $ordering: WorkflowRunOrder = CREATED_AT_DESC @choices(of: [{sent: "created_at", value: "CREATED_AT_ASC"}, {sent: "-created_at", value: "CREATED_AT_DESC"}, {sent: "cost", value: "COST_ASC"}, {sent: "-cost", value: "COST_DESC"}]), $page: Int = 1 @range(min: 1), $limit: Int = 10 @range(min: 1, max: 50)) {
  body: workflowRuns(
    workflowId: $workflow_id
    order: $ordering
    page: $page
    size: $limit
  ) {
    page
    size
    total
    items {
      ...WorkflowRun
    }
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id: key
  title
  type
  input_requirements: inputRequirements
  placeholder
  tooltip
  default_value: defaultValue
  is_secret: isSecret
  options {
    title
    value
    is_default: isDefault
  }
}

fragment WorkflowRun on WorkflowRun {
  id
  created_at: createdAt
  updated_at: updatedAt
  run_started_at: runStartedAt
  run_finished_at: runFinishedAt
  status: state @choices(of: [{sent: "In Progress", value: "QUEUED"}, {sent: "In Progress", value: "RUNNING"}, {sent: "In Progress", value: "WAITING"}, {sent: "Succeeded", value: "SUCCEEDED"}, {sent: "Error", value: "FAILED"}, {sent: "Cancelled", value: "CANCELLED"}, {sent: "Draft", value: "DRAFT"}])
  result
  data
  input_data: inputData
  input_fields: inputFields {
    ...WorkflowInputField
  }
  is_api_run: isApiRun
  use_in_marketplace_example: useInMarketplaceExample
  use_as_marketplace_template: useAsMarketplaceTemplate
  cost {
    USD: usd
    SR: sr
    external_cost_usd: externalCostUsd {
      cost
      commission
    }
  }
  duration
}`,
  },
  {
    operation: 'ListMarketplace',
    method: 'GET',
    path: '/api/v1/workflows/marketplace/',
    status: 200,
    auth: 'NONE',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: 10,
    errors: { UNAUTHENTICATED: 401 },
    document: `query ListMarketplace($search: String, $categories: [Int!], $subcategories: [Int!], $languages: String, $marketplace_date_last_publication_after: Date, $marketplace_date_last_publication_before: Date, $ordering: WorkflowListOrder = CREATED_AT_DESC @choices(of: [{sent: "total_cost", value: "TOTAL_COST_ASC"}, {sent: "-total_cost", value: "TOTAL_COST_DESC"}, {sent: "last_run_at", value: "LAST_RUN_AT_ASC"}, {sent: "-last_run_at", value: "LAST_RUN_AT_DESC"}, {sent: "created_at", value: "CREATED_AT_ASC"}, {sent: "-created_at", value: "CREATED_AT_DESC"}]), $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: marketplaceWorkflows(
    filter: {search: $search, categoryIds: $categories, subcategoryIds: $subcategories, languages: $languages, publishedAfter: $marketplace_date_last_publication_after, publishedBefore: $marketplace_date_last_publication_before}
    order: $ordering
    page: $page
    size: $size
  ) {
    page
    size
    total
    items {
      ...MarketplaceWorkflow
    }
  }
}

fragment MarketplaceWorkflow on MarketplaceWorkflow {
  id
  slug
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  marketplace_price_avg: marketplacePriceAverage {
    USD: usd
    SR: sr
  }
  copied_workflow_id: copiedWorkflowId
  total_users_count: totalUsersCount
  total_runs_count: totalRunsCount
  last_run_at: lastRunAt
  created_at: createdAt
  marketplace_date_last_publication: publishedAt
}`,
  },
  {
    operation: 'RetrieveMarketplaceWorkflow',
    method: 'GET',
    path: '/api/v1/workflows/marketplace/{slug}/',
    status: 200,
    auth: 'NONE',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: 10,
    errors: { UNAUTHENTICATED: 401 },
    document: `query RetrieveMarketplaceWorkflow($slug: String!) {
  body: marketplaceWorkflow(slug: $slug) {
    ...MarketplaceWorkflow
  }
}

fragment MarketplaceWorkflow on MarketplaceWorkflow {
  id
  slug
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  marketplace_price_avg: marketplacePriceAverage {
    USD: usd
    SR: sr
  }
  copied_workflow_id: copiedWorkflowId
  total_users_count: totalUsersCount
  total_runs_count: totalRunsCount
  last_run_at: lastRunAt
  created_at: createdAt
  marketplace_date_last_publication: publishedAt
}`,
  },
  {
    operation: 'AddFromMarketplace',
    method: 'POST',
    path: '/api/v1/workflows/marketplace/{slug}/add-from-marketplace/',
    status: 201,
    auth: 'API_KEY_ONLY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation AddFromMarketplace($slug: String!, $project: Int) {
  workflowCopyFromMarketplace(slug: $slug, projectId: $project) {
    body: workflow {
      ...Workflow
      gaps {
        node_id: nodeId
        path
        kind
        variable @omitNull
      }
    }
  }
}

fragment Workflow on Workflow {
  id
  project: projectId
  title
  data
  sort_id: sortId
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  slug
  is_published: isPublished
  copied_from: copiedFromId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListMarketplaceExamples',
    method: 'GET',
    path: '/api/v1/workflows/marketplace/{slug}/examples/',
    status: 200,
    auth: 'NONE',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: 10,
    errors: { UNAUTHENTICATED: 401 },
    document: `query ListMarketplaceExamples($slug: String!) {
  body: marketplaceExamples(slug: $slug) {
    ...MarketplaceExample
  }
}

fragment MarketplaceExample on MarketplaceExample {
  id
  created_at: createdAt
  cost {
    USD: usd
    SR: sr
    external_cost_usd: externalCostUsd {
      cost
      commission
    }
  }
  result
  input_data: inputData
  data
}`,
  },
  {
    operation: 'RetrieveMarketplaceExample',
    method: 'GET',
    path: '/api/v1/workflows/marketplace/{slug}/examples/{run_id}/',
    status: 200,
    auth: 'NONE',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: 10,
    errors: { UNAUTHENTICATED: 401 },
    document: `query RetrieveMarketplaceExample($slug: String!, $run_id: UUID!) {
  body: marketplaceExample(slug: $slug, runId: $run_id) {
    ...MarketplaceExample
  }
}

fragment MarketplaceExample on MarketplaceExample {
  id
  created_at: createdAt
  cost {
    USD: usd
    SR: sr
    external_cost_usd: externalCostUsd {
      cost
      commission
    }
  }
  result
  input_data: inputData
  data
}`,
  },
  {
    operation: 'ListMcpTools',
    method: 'POST',
    path: '/api/v1/workflows/mcp-tools/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListMcpTools($endpoint_url: String!, $transport: McpTransport, $headers: HttpHeaders, $timeout: Float @range(min: 0.1, max: 30), $workflow_id: Int, $node_id: String) {
  body: mcpTools(
    endpointUrl: $endpoint_url
    transport: $transport
    headers: $headers
    timeout: $timeout
    workflowId: $workflow_id
    nodeId: $node_id
  )
}`,
  },
  {
    operation: 'RunGraph',
    method: 'POST',
    path: '/api/v1/workflows/run/',
    status: 200,
    auth: 'API_KEY',
    body: 'GRAPH',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation RunGraph($task_id: UUID! @query, $data: JSON!, $input_data: JSON, $project: Int) {
  workflowRunStartGraph(
    id: $task_id
    data: $data
    input: $input_data
    projectId: $project
  ) {
    body: receipt {
      ...RunReceipt
    }
  }
}

fragment RunReceipt on WorkflowRunReceipt {
  status
  data {
    id: runId
    ...RunResultStatus
    data
    error @omitNull {
      code
      message
    }
  }
}

fragment RunResultStatus on WorkflowRunResult {
  status @choices(of: [{sent: "in queue", value: "QUEUED"}, {sent: "in progress", value: "RUNNING"}, {sent: "in progress", value: "WAITING"}, {sent: "succeed", value: "SUCCEEDED"}, {sent: "failed", value: "FAILED"}, {sent: "failed", value: "CANCELLED"}, {sent: "not found", value: "DRAFT"}, {sent: "not found", value: "EXPIRED"}])
}`,
  },
  {
    operation: 'GetWorkflowResult',
    method: 'GET',
    path: '/api/v1/workflows/workflow_result/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { NOT_FOUND: 400, FORBIDDEN: 400 },
    document: `query GetWorkflowResult($id: UUID! @alias(name: "task_id"), $node_id: String) {
  body: workflowRunResult(id: $id, nodeId: $node_id) {
    status
    data {
      id: runId
      ...RunResultStatus
      data
      output
      error @omitNull {
        code
        message
      }
    }
  }
}

fragment RunResultStatus on WorkflowRunResult {
  status @choices(of: [{sent: "in queue", value: "QUEUED"}, {sent: "in progress", value: "RUNNING"}, {sent: "in progress", value: "WAITING"}, {sent: "succeed", value: "SUCCEEDED"}, {sent: "failed", value: "FAILED"}, {sent: "failed", value: "CANCELLED"}, {sent: "not found", value: "DRAFT"}, {sent: "not found", value: "EXPIRED"}])
}`,
  },
  {
    operation: 'ApproveAgent',
    method: 'POST',
    path: '/api/v1/workflows/workflow_run/{workflow_run_id}/agent-approval/{request_id}/approve/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation ApproveAgent($workflow_run_id: UUID!, $request_id: UUID!) {
  agentApprovalApprove(runId: $workflow_run_id, requestId: $request_id) {
    body: receipt {
      ...AgentApprovalReceipt
    }
  }
}

fragment AgentApprovalReceipt on AgentApprovalReceipt {
  status
  data {
    id: runId
    request_id: requestId
    decision
  }
}`,
  },
  {
    operation: 'RejectAgent',
    method: 'POST',
    path: '/api/v1/workflows/workflow_run/{workflow_run_id}/agent-approval/{request_id}/reject/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation RejectAgent($workflow_run_id: UUID!, $request_id: UUID!) {
  agentApprovalReject(runId: $workflow_run_id, requestId: $request_id) {
    body: receipt {
      ...AgentApprovalReceipt
    }
  }
}

fragment AgentApprovalReceipt on AgentApprovalReceipt {
  status
  data {
    id: runId
    request_id: requestId
    decision
  }
}`,
  },
  {
    operation: 'RetrieveWorkflow',
    method: 'GET',
    path: '/api/v1/workflows/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveWorkflow($id: Int!) {
  body: workflow(id: $id) {
    ...Workflow
    current_revision: currentRevision @etag {
      number
    }
  }
}

fragment Workflow on Workflow {
  id
  project: projectId
  title
  data
  sort_id: sortId
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  slug
  is_published: isPublished
  copied_from: copiedFromId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UpdateWorkflow',
    method: 'PATCH',
    path: '/api/v1/workflows/{id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { CONFLICT: 412 },
    document: `mutation UpdateWorkflow($id: Int!, $title: String, $data: JSON, $market_title: String, $short_description: String, $readme_guide: String, $available_languages: [String!], $run_fee: Int @range(min: 0, max: 999), $free_runs_per_user: Int @range(min: 0), $category: Int, $subcategory: Int, $if_match: Int @header(name: "If-Match")) {
  workflowUpdate(
    id: $id
    input: {title: $title, data: $data, marketTitle: $market_title, shortDescription: $short_description, readmeGuide: $readme_guide, availableLanguages: $available_languages, runFee: $run_fee, freeRunsPerUser: $free_runs_per_user, categoryId: $category, subcategoryId: $subcategory, expectedRevisionNumber: $if_match}
  ) {
    body: workflow {
      ...Workflow
      current_revision: currentRevision @etag {
        number
      }
    }
  }
}

fragment Workflow on Workflow {
  id
  project: projectId
  title
  data
  sort_id: sortId
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  slug
  is_published: isPublished
  copied_from: copiedFromId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteWorkflow',
    method: 'DELETE',
    path: '/api/v1/workflows/{id}/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteWorkflow($id: Int!) {
  workflowDelete(id: $id) {
    body: workflow {
      id
    }
  }
}`,
  },
  {
    operation: 'BisectWorkflow',
    method: 'POST',
    path: '/api/v1/workflows/{id}/bisect/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation BisectWorkflow($id: Int!, $good_run: UUID!, $bad_run: UUID!, $budget_usd: Decimal!, $allow: [WorkflowRehearsalAllowance!]) {
  workflowBisect(
    workflowId: $id
    goodRunId: $good_run
    badRunId: $bad_run
    budgetUsd: $budget_usd
    allow: $allow
  ) {
    body: rehearsal {
      ...WorkflowRehearsal
    }
  }
}

fragment RehearsalMoney on Money {
  USD: usd
  SR: sr
}

fragment WorkflowRehearsal on WorkflowRehearsal {
  id
  workflow: workflowId
  kind
  state
  revision: revisionNumber
  verdict
  error
  runs_count: runsCount
  ended_count: endedCount
  budget {
    ...RehearsalMoney
  }
  spent {
    ...RehearsalMoney
  }
  cost_before: costBefore {
    ...RehearsalMoney
  }
  cost_after: costAfter {
    ...RehearsalMoney
  }
  finding {
    cause
    revision: revisionNumber
    previous_revision: previousNumber
    model_before: modelBefore
    model_after: modelAfter
    node_ids: nodeIds
    changes_count: changesCount
    replays_count: replaysCount
  }
  created_at: createdAt
  finished_at: finishedAt
}`,
  },
  {
    operation: 'CheckWorkflow',
    method: 'GET',
    path: '/api/v1/workflows/{id}/check_workflow/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query CheckWorkflow($id: Int!) {
  workflow(id: $id) {
    body: check {
      ...WorkflowCheck
    }
  }
}

fragment WorkflowCheck on WorkflowCheck {
  is_valid: isValid
  status
  data
  issues {
    code
    severity
    node_id: nodeId
    edge_id: edgeId
    path
    message
  }
}`,
  },
  {
    operation: 'DuplicateWorkflow',
    method: 'POST',
    path: '/api/v1/workflows/{id}/duplicate/',
    status: 201,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: { FORBIDDEN: 400 },
    document: `mutation DuplicateWorkflow($id: Int!) {
  workflowDuplicate(id: $id) {
    body: workflow {
      ...Workflow
    }
  }
}

fragment Workflow on Workflow {
  id
  project: projectId
  title
  data
  sort_id: sortId
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  slug
  is_published: isPublished
  copied_from: copiedFromId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ReadWorkflowGaps',
    method: 'GET',
    path: '/api/v1/workflows/{id}/gaps/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ReadWorkflowGaps($id: Int!) {
  body: workflow(id: $id) {
    id
    gaps {
      node_id: nodeId
      path
      kind
      variable @omitNull
    }
    reach {
      node_id: nodeId
      path
      kind
      value
    }
  }
}`,
  },
  {
    operation: 'ListWorkflowRuns',
    method: 'GET',
    path: '/api/v1/workflows/{id}/history/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListWorkflowRuns($id: Int!, $ordering: WorkflowRunOrder = CREATED_AT_DESC @choices(of: [{sent: "created_at", value: "CREATED_AT_ASC"}, {sent: "-created_at", value: "CREATED_AT_DESC"}, {sent: "cost", value: "COST_ASC"}, {sent: "-cost", value: "COST_DESC"}]), $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: workflowRuns(workflowId: $id, order: $ordering, page: $page, size: $size) {
    page
    size
    total
    items {
      ...WorkflowRun
    }
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id: key
  title
  type
  input_requirements: inputRequirements
  placeholder
  tooltip
  default_value: defaultValue
  is_secret: isSecret
  options {
    title
    value
    is_default: isDefault
  }
}

fragment WorkflowRun on WorkflowRun {
  id
  created_at: createdAt
  updated_at: updatedAt
  run_started_at: runStartedAt
  run_finished_at: runFinishedAt
  status: state @choices(of: [{sent: "In Progress", value: "QUEUED"}, {sent: "In Progress", value: "RUNNING"}, {sent: "In Progress", value: "WAITING"}, {sent: "Succeeded", value: "SUCCEEDED"}, {sent: "Error", value: "FAILED"}, {sent: "Cancelled", value: "CANCELLED"}, {sent: "Draft", value: "DRAFT"}])
  result
  data
  input_data: inputData
  input_fields: inputFields {
    ...WorkflowInputField
  }
  is_api_run: isApiRun
  use_in_marketplace_example: useInMarketplaceExample
  use_as_marketplace_template: useAsMarketplaceTemplate
  cost {
    USD: usd
    SR: sr
    external_cost_usd: externalCostUsd {
      cost
      commission
    }
  }
  duration
}`,
  },
  {
    operation: 'RetrieveWorkflowRun',
    method: 'GET',
    path: '/api/v1/workflows/{id}/history/{run_id}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveWorkflowRun($id: Int!, $run_id: UUID!) {
  body: workflowRun(id: $run_id, workflowId: $id) {
    ...WorkflowRun
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id: key
  title
  type
  input_requirements: inputRequirements
  placeholder
  tooltip
  default_value: defaultValue
  is_secret: isSecret
  options {
    title
    value
    is_default: isDefault
  }
}

fragment WorkflowRun on WorkflowRun {
  id
  created_at: createdAt
  updated_at: updatedAt
  run_started_at: runStartedAt
  run_finished_at: runFinishedAt
  status: state @choices(of: [{sent: "In Progress", value: "QUEUED"}, {sent: "In Progress", value: "RUNNING"}, {sent: "In Progress", value: "WAITING"}, {sent: "Succeeded", value: "SUCCEEDED"}, {sent: "Error", value: "FAILED"}, {sent: "Cancelled", value: "CANCELLED"}, {sent: "Draft", value: "DRAFT"}])
  result
  data
  input_data: inputData
  input_fields: inputFields {
    ...WorkflowInputField
  }
  is_api_run: isApiRun
  use_in_marketplace_example: useInMarketplaceExample
  use_as_marketplace_template: useAsMarketplaceTemplate
  cost {
    USD: usd
    SR: sr
    external_cost_usd: externalCostUsd {
      cost
      commission
    }
  }
  duration
}`,
  },
  {
    operation: 'CancelWorkflowRun',
    method: 'POST',
    path: '/api/v1/workflows/{id}/history/{run_id}/cancel/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation CancelWorkflowRun($id: Int!, $run_id: UUID!) {
  workflowRunCancel(id: $run_id, workflowId: $id) {
    body: workflowRun {
      ...WorkflowRun
    }
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id: key
  title
  type
  input_requirements: inputRequirements
  placeholder
  tooltip
  default_value: defaultValue
  is_secret: isSecret
  options {
    title
    value
    is_default: isDefault
  }
}

fragment WorkflowRun on WorkflowRun {
  id
  created_at: createdAt
  updated_at: updatedAt
  run_started_at: runStartedAt
  run_finished_at: runFinishedAt
  status: state @choices(of: [{sent: "In Progress", value: "QUEUED"}, {sent: "In Progress", value: "RUNNING"}, {sent: "In Progress", value: "WAITING"}, {sent: "Succeeded", value: "SUCCEEDED"}, {sent: "Error", value: "FAILED"}, {sent: "Cancelled", value: "CANCELLED"}, {sent: "Draft", value: "DRAFT"}])
  result
  data
  input_data: inputData
  input_fields: inputFields {
    ...WorkflowInputField
  }
  is_api_run: isApiRun
  use_in_marketplace_example: useInMarketplaceExample
  use_as_marketplace_template: useAsMarketplaceTemplate
  cost {
    USD: usd
    SR: sr
    external_cost_usd: externalCostUsd {
      cost
      commission
    }
  }
  duration
}`,
  },
  {
    operation: 'RerunWorkflow',
    method: 'POST',
    path: '/api/v1/workflows/{id}/history/{run_id}/re-run/',
    status: 201,
    auth: 'API_KEY',
    body: 'RUN_INPUT',
    reply: 'ENVELOPE_STATUS',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation RerunWorkflow($id: Int!, $run_id: UUID!, $input: JSON, $input_text: String) {
  workflowRunRestart(
    workflowId: $id
    id: $run_id
    input: $input
    inputText: $input_text
  ) {
    body: receipt {
      ...RunReceipt
    }
  }
}

fragment RunReceipt on WorkflowRunReceipt {
  status
  data {
    id: runId
    ...RunResultStatus
    data
    error @omitNull {
      code
      message
    }
  }
}

fragment RunResultStatus on WorkflowRunResult {
  status @choices(of: [{sent: "in queue", value: "QUEUED"}, {sent: "in progress", value: "RUNNING"}, {sent: "in progress", value: "WAITING"}, {sent: "succeed", value: "SUCCEEDED"}, {sent: "failed", value: "FAILED"}, {sent: "failed", value: "CANCELLED"}, {sent: "not found", value: "DRAFT"}, {sent: "not found", value: "EXPIRED"}])
}`,
  },
  {
    operation: 'RestartWorkflowRun',
    method: 'POST',
    path: '/api/v1/workflows/{id}/history/{run_id}/restart/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation RestartWorkflowRun($id: Int!, $run_id: UUID!, $input: JSON, $input_text: String, $revision: WorkflowRunRevision, $revision_number: Int, $reuse_results: Boolean! = false) {
  workflowRunRestart(
    workflowId: $id
    id: $run_id
    input: $input
    inputText: $input_text
    revision: $revision
    revisionNumber: $revision_number
    reuseResults: $reuse_results
  ) {
    body: receipt {
      ...RunReceipt
    }
  }
}

fragment RunReceipt on WorkflowRunReceipt {
  status
  data {
    id: runId
    ...RunResultStatus
    data
    error @omitNull {
      code
      message
    }
  }
}

fragment RunResultStatus on WorkflowRunResult {
  status @choices(of: [{sent: "in queue", value: "QUEUED"}, {sent: "in progress", value: "RUNNING"}, {sent: "in progress", value: "WAITING"}, {sent: "succeed", value: "SUCCEEDED"}, {sent: "failed", value: "FAILED"}, {sent: "failed", value: "CANCELLED"}, {sent: "not found", value: "DRAFT"}, {sent: "not found", value: "EXPIRED"}])
}`,
  },
  {
    operation: 'SetRunTags',
    method: 'PUT',
    path: '/api/v1/workflows/{id}/history/{run_id}/tags/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation SetRunTags($id: Int!, $run_id: UUID!, $tags: [String!]!) {
  workflowRunTagsSet(workflowId: $id, id: $run_id, tags: $tags) {
    body: workflowRun {
      id
      tags
    }
  }
}`,
  },
  {
    operation: 'ToggleApiRun',
    method: 'POST',
    path: '/api/v1/workflows/{id}/history/{run_id}/toggle-api-run/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 400 },
    document: `mutation ToggleApiRun($id: Int!, $run_id: UUID!, $is_api_run: Boolean!) {
  workflowRunApiRunSet(workflowId: $id, id: $run_id, isApiRun: $is_api_run) {
    body: workflowRun {
      ...WorkflowRun
    }
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id: key
  title
  type
  input_requirements: inputRequirements
  placeholder
  tooltip
  default_value: defaultValue
  is_secret: isSecret
  options {
    title
    value
    is_default: isDefault
  }
}

fragment WorkflowRun on WorkflowRun {
  id
  created_at: createdAt
  updated_at: updatedAt
  run_started_at: runStartedAt
  run_finished_at: runFinishedAt
  status: state @choices(of: [{sent: "In Progress", value: "QUEUED"}, {sent: "In Progress", value: "RUNNING"}, {sent: "In Progress", value: "WAITING"}, {sent: "Succeeded", value: "SUCCEEDED"}, {sent: "Error", value: "FAILED"}, {sent: "Cancelled", value: "CANCELLED"}, {sent: "Draft", value: "DRAFT"}])
  result
  data
  input_data: inputData
  input_fields: inputFields {
    ...WorkflowInputField
  }
  is_api_run: isApiRun
  use_in_marketplace_example: useInMarketplaceExample
  use_as_marketplace_template: useAsMarketplaceTemplate
  cost {
    USD: usd
    SR: sr
    external_cost_usd: externalCostUsd {
      cost
      commission
    }
  }
  duration
}`,
  },
  {
    operation: 'ToggleMarketplaceExample',
    method: 'POST',
    path: '/api/v1/workflows/{id}/history/{run_id}/toggle-marketplace-example/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 400 },
    document: `mutation ToggleMarketplaceExample($id: Int!, $run_id: UUID!, $use_in_marketplace_example: Boolean!) {
  workflowRunExampleSet(
    workflowId: $id
    id: $run_id
    useInMarketplaceExample: $use_in_marketplace_example
  ) {
    body: workflowRun {
      ...WorkflowRun
    }
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id: key
  title
  type
  input_requirements: inputRequirements
  placeholder
  tooltip
  default_value: defaultValue
  is_secret: isSecret
  options {
    title
    value
    is_default: isDefault
  }
}

fragment WorkflowRun on WorkflowRun {
  id
  created_at: createdAt
  updated_at: updatedAt
  run_started_at: runStartedAt
  run_finished_at: runFinishedAt
  status: state @choices(of: [{sent: "In Progress", value: "QUEUED"}, {sent: "In Progress", value: "RUNNING"}, {sent: "In Progress", value: "WAITING"}, {sent: "Succeeded", value: "SUCCEEDED"}, {sent: "Error", value: "FAILED"}, {sent: "Cancelled", value: "CANCELLED"}, {sent: "Draft", value: "DRAFT"}])
  result
  data
  input_data: inputData
  input_fields: inputFields {
    ...WorkflowInputField
  }
  is_api_run: isApiRun
  use_in_marketplace_example: useInMarketplaceExample
  use_as_marketplace_template: useAsMarketplaceTemplate
  cost {
    USD: usd
    SR: sr
    external_cost_usd: externalCostUsd {
      cost
      commission
    }
  }
  duration
}`,
  },
  {
    operation: 'ToggleMarketplaceUse',
    method: 'POST',
    path: '/api/v1/workflows/{id}/history/{run_id}/toggle-marketplace-use/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 400 },
    document: `mutation ToggleMarketplaceUse($id: Int!, $run_id: UUID!, $use_as_marketplace_template: Boolean!) {
  workflowRunTemplateSet(
    workflowId: $id
    id: $run_id
    useAsMarketplaceTemplate: $use_as_marketplace_template
  ) {
    body: workflowRun {
      ...WorkflowRun
    }
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id: key
  title
  type
  input_requirements: inputRequirements
  placeholder
  tooltip
  default_value: defaultValue
  is_secret: isSecret
  options {
    title
    value
    is_default: isDefault
  }
}

fragment WorkflowRun on WorkflowRun {
  id
  created_at: createdAt
  updated_at: updatedAt
  run_started_at: runStartedAt
  run_finished_at: runFinishedAt
  status: state @choices(of: [{sent: "In Progress", value: "QUEUED"}, {sent: "In Progress", value: "RUNNING"}, {sent: "In Progress", value: "WAITING"}, {sent: "Succeeded", value: "SUCCEEDED"}, {sent: "Error", value: "FAILED"}, {sent: "Cancelled", value: "CANCELLED"}, {sent: "Draft", value: "DRAFT"}])
  result
  data
  input_data: inputData
  input_fields: inputFields {
    ...WorkflowInputField
  }
  is_api_run: isApiRun
  use_in_marketplace_example: useInMarketplaceExample
  use_as_marketplace_template: useAsMarketplaceTemplate
  cost {
    USD: usd
    SR: sr
    external_cost_usd: externalCostUsd {
      cost
      commission
    }
  }
  duration
}`,
  },
  {
    operation: 'ListWorkflowInputFields',
    method: 'GET',
    path: '/api/v1/workflows/{id}/input-fields/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListWorkflowInputFields($id: Int!) {
  workflow(id: $id) {
    body: inputFields {
      ...WorkflowInputField
    }
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id: key
  title
  type
  input_requirements: inputRequirements
  placeholder
  tooltip
  default_value: defaultValue
  is_secret: isSecret
  options {
    title
    value
    is_default: isDefault
  }
}`,
  },
  {
    operation: 'RetrieveMcpServerTool',
    method: 'GET',
    path: '/api/v1/workflows/{id}/mcp-server-tool/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveMcpServerTool($id: Int!) {
  body: mcpServerTool(workflowId: $id) {
    ...McpServerTool
  }
}

fragment McpServerTool on McpServerTool {
  workflow: workflowId
  project: projectId
  name
  description
  is_enabled: isEnabled
  input_schema: inputSchema
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'SaveMcpServerTool',
    method: 'PUT',
    path: '/api/v1/workflows/{id}/mcp-server-tool/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation SaveMcpServerTool($id: Int!, $name: String!, $description: String, $is_enabled: Boolean) {
  mcpServerToolSave(
    workflowId: $id
    input: {name: $name, description: $description, isEnabled: $is_enabled}
  ) {
    body: mcpServerTool {
      ...McpServerTool
    }
  }
}

fragment McpServerTool on McpServerTool {
  workflow: workflowId
  project: projectId
  name
  description
  is_enabled: isEnabled
  input_schema: inputSchema
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'DeleteMcpServerTool',
    method: 'DELETE',
    path: '/api/v1/workflows/{id}/mcp-server-tool/',
    status: 204,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'EMPTY',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DeleteMcpServerTool($id: Int!) {
  mcpServerToolDelete(workflowId: $id) {
    body: mcpServerTool {
      workflowId
    }
  }
}`,
  },
  {
    operation: 'PauseWorkflow',
    method: 'POST',
    path: '/api/v1/workflows/{id}/pause/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation PauseWorkflow($id: Int!) {
  workflowPause(id: $id) {
    body: workflow {
      id
      paused_at: pausedAt
    }
  }
}`,
  },
  {
    operation: 'ListWorkflowPublications',
    method: 'GET',
    path: '/api/v1/workflows/{id}/publications/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListWorkflowPublications($id: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: workflowPublications(workflowId: $id, page: $page, size: $size) {
    page
    size
    total
    items {
      id
      revision: revisionNumber
      note
      user: userId
      user_name: userName
      created_at: createdAt
    }
  }
}`,
  },
  {
    operation: 'CheckWorkflowRevision',
    method: 'POST',
    path: '/api/v1/workflows/{id}/publish-check/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CheckWorkflowRevision($id: Int!, $budget_usd: Decimal!, $revision: Int, $last: Int, $states: [WorkflowRunState!], $created_after: DateTime, $created_before: DateTime, $allow: [WorkflowRehearsalAllowance!]) {
  workflowPublishCheck(
    workflowId: $id
    budgetUsd: $budget_usd
    revisionNumber: $revision
    runs: {last: $last, filter: {states: $states, createdAfter: $created_after, createdBefore: $created_before}}
    allow: $allow
  ) {
    body: rehearsal {
      ...WorkflowRehearsal
    }
  }
}

fragment RehearsalMoney on Money {
  USD: usd
  SR: sr
}

fragment WorkflowRehearsal on WorkflowRehearsal {
  id
  workflow: workflowId
  kind
  state
  revision: revisionNumber
  verdict
  error
  runs_count: runsCount
  ended_count: endedCount
  budget {
    ...RehearsalMoney
  }
  spent {
    ...RehearsalMoney
  }
  cost_before: costBefore {
    ...RehearsalMoney
  }
  cost_after: costAfter {
    ...RehearsalMoney
  }
  finding {
    cause
    revision: revisionNumber
    previous_revision: previousNumber
    model_before: modelBefore
    model_after: modelAfter
    node_ids: nodeIds
    changes_count: changesCount
    replays_count: replaysCount
  }
  created_at: createdAt
  finished_at: finishedAt
}`,
  },
  {
    operation: 'PublishWorkflow',
    method: 'POST',
    path: '/api/v1/workflows/{id}/publish-on-marketplace/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { BAD_USER_INPUT: 400, FORBIDDEN: 400 },
    document: `mutation PublishWorkflow($id: Int!) {
  workflowPublish(id: $id) {
    body: workflow {
      ...Workflow
    }
  }
}

fragment Workflow on Workflow {
  id
  project: projectId
  title
  data
  sort_id: sortId
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  slug
  is_published: isPublished
  copied_from: copiedFromId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ListWorkflowRehearsals',
    method: 'GET',
    path: '/api/v1/workflows/{id}/rehearsals/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListWorkflowRehearsals($id: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: workflowRehearsals(workflowId: $id, page: $page, size: $size) {
    page
    size
    total
    items {
      ...WorkflowRehearsal
    }
  }
}

fragment RehearsalMoney on Money {
  USD: usd
  SR: sr
}

fragment WorkflowRehearsal on WorkflowRehearsal {
  id
  workflow: workflowId
  kind
  state
  revision: revisionNumber
  verdict
  error
  runs_count: runsCount
  ended_count: endedCount
  budget {
    ...RehearsalMoney
  }
  spent {
    ...RehearsalMoney
  }
  cost_before: costBefore {
    ...RehearsalMoney
  }
  cost_after: costAfter {
    ...RehearsalMoney
  }
  finding {
    cause
    revision: revisionNumber
    previous_revision: previousNumber
    model_before: modelBefore
    model_after: modelAfter
    node_ids: nodeIds
    changes_count: changesCount
    replays_count: replaysCount
  }
  created_at: createdAt
  finished_at: finishedAt
}`,
  },
  {
    operation: 'ReorderWorkflow',
    method: 'POST',
    path: '/api/v1/workflows/{id}/reorder/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 400 },
    document: `mutation ReorderWorkflow($id: Int!, $sort_id: Int!) {
  workflowReorder(id: $id, sortId: $sort_id) {
    body: workflow {
      ...Workflow
    }
  }
}

fragment Workflow on Workflow {
  id
  project: projectId
  title
  data
  sort_id: sortId
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  slug
  is_published: isPublished
  copied_from: copiedFromId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'ResumeWorkflow',
    method: 'POST',
    path: '/api/v1/workflows/{id}/resume/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation ResumeWorkflow($id: Int!) {
  workflowResume(id: $id) {
    body: workflow {
      id
      paused_at: pausedAt
    }
  }
}`,
  },
  {
    operation: 'ListWorkflowRevisions',
    method: 'GET',
    path: '/api/v1/workflows/{id}/revisions/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListWorkflowRevisions($id: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: workflowRevisions(workflowId: $id, page: $page, size: $size) {
    page
    size
    total
    items {
      ...WorkflowRevision
    }
  }
}

fragment WorkflowRevision on WorkflowRevision {
  id
  workflow: workflowId
  number
  name
  note
  user: userId
  user_name: userName
  is_current: isCurrent
  is_published: isPublished
  created_at: createdAt
}`,
  },
  {
    operation: 'GetWorkflowRevision',
    method: 'GET',
    path: '/api/v1/workflows/{id}/revisions/{number}/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query GetWorkflowRevision($id: Int!, $number: Int!) {
  body: workflowRevision(workflowId: $id, number: $number) {
    ...WorkflowRevision
    data
  }
}

fragment WorkflowRevision on WorkflowRevision {
  id
  workflow: workflowId
  number
  name
  note
  user: userId
  user_name: userName
  is_current: isCurrent
  is_published: isPublished
  created_at: createdAt
}`,
  },
  {
    operation: 'DescribeWorkflowRevision',
    method: 'PATCH',
    path: '/api/v1/workflows/{id}/revisions/{number}/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation DescribeWorkflowRevision($id: Int!, $number: Int!, $name: String, $note: String) {
  workflowRevisionDescribe(
    workflowId: $id
    number: $number
    name: $name
    note: $note
  ) {
    body: workflowRevision {
      ...WorkflowRevision
    }
  }
}

fragment WorkflowRevision on WorkflowRevision {
  id
  workflow: workflowId
  number
  name
  note
  user: userId
  user_name: userName
  is_current: isCurrent
  is_published: isPublished
  created_at: createdAt
}`,
  },
  {
    operation: 'CompareWorkflowRevisions',
    method: 'GET',
    path: '/api/v1/workflows/{id}/revisions/{number}/diff/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query CompareWorkflowRevisions($id: Int!, $number: Int!, $to: Int! @query) {
  body: workflowRevisionDiff(
    workflowId: $id
    leftNumber: $number
    rightNumber: $to
  ) {
    left {
      ...WorkflowRevision
    }
    right {
      ...WorkflowRevision
    }
    nodes {
      node_id: nodeId
      label
      change
      is_moved_only: isMovedOnly
      settings {
        ...WorkflowSettingChange
      }
    }
    edges {
      change
      source
      source_handle: sourceHandle
      target
      target_handle: targetHandle
    }
    settings {
      ...WorkflowSettingChange
    }
  }
}

fragment WorkflowRevision on WorkflowRevision {
  id
  workflow: workflowId
  number
  name
  note
  user: userId
  user_name: userName
  is_current: isCurrent
  is_published: isPublished
  created_at: createdAt
}

fragment WorkflowSettingChange on WorkflowSettingChange {
  path
  before
  after
}`,
  },
  {
    operation: 'PublishWorkflowRevision',
    method: 'POST',
    path: '/api/v1/workflows/{id}/revisions/{number}/publish/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation PublishWorkflowRevision($id: Int!, $number: Int!, $note: String) {
  workflowRevisionPublish(workflowId: $id, number: $number, note: $note) {
    body: workflowRevision {
      ...WorkflowRevision
    }
  }
}

fragment WorkflowRevision on WorkflowRevision {
  id
  workflow: workflowId
  number
  name
  note
  user: userId
  user_name: userName
  is_current: isCurrent
  is_published: isPublished
  created_at: createdAt
}`,
  },
  {
    operation: 'RestoreWorkflowRevision',
    method: 'POST',
    path: '/api/v1/workflows/{id}/revisions/{number}/restore/',
    status: 201,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: { CONFLICT: 412 },
    document: `mutation RestoreWorkflowRevision($id: Int!, $number: Int!, $if_match: Int @header(name: "If-Match")) {
  workflowRevisionRestore(
    workflowId: $id
    number: $number
    expectedRevisionNumber: $if_match
  ) {
    body: workflowRevision {
      ...WorkflowRevision
    }
  }
}

fragment WorkflowRevision on WorkflowRevision {
  id
  workflow: workflowId
  number
  name
  note
  user: userId
  user_name: userName
  is_current: isCurrent
  is_published: isPublished
  created_at: createdAt
}`,
  },
  {
    operation: 'RunWorkflowRevision',
    method: 'POST',
    path: '/api/v1/workflows/{id}/revisions/{number}/run/',
    status: 200,
    auth: 'API_KEY',
    body: 'RUN_INPUT',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation RunWorkflowRevision($id: Int!, $number: Int!, $input: JSON, $input_text: String, $parts: [WorkflowRunInputPart!]) {
  workflowRunStart(
    workflowId: $id
    input: $input
    inputText: $input_text
    parts: $parts
    revisionNumber: $number
  ) {
    body: receipt {
      ...RunReceipt
    }
  }
}

fragment RunReceipt on WorkflowRunReceipt {
  status
  data {
    id: runId
    ...RunResultStatus
    data
    error @omitNull {
      code
      message
    }
  }
}

fragment RunResultStatus on WorkflowRunResult {
  status @choices(of: [{sent: "in queue", value: "QUEUED"}, {sent: "in progress", value: "RUNNING"}, {sent: "in progress", value: "WAITING"}, {sent: "succeed", value: "SUCCEEDED"}, {sent: "failed", value: "FAILED"}, {sent: "failed", value: "CANCELLED"}, {sent: "not found", value: "DRAFT"}, {sent: "not found", value: "EXPIRED"}])
}`,
  },
  {
    operation: 'RunWorkflowMany',
    method: 'POST',
    path: '/api/v1/workflows/{id}/run-many/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation RunWorkflowMany($id: Int!, $items: [WorkflowRunStartInput!]!, $revision_number: Int) {
  workflowRunStartMany(
    workflowId: $id
    items: $items
    revisionNumber: $revision_number
  ) {
    body: starts {
      accepted
      refused
      items {
        index
        idempotency_key: idempotencyKey
        receipt {
          ...RunReceipt
        }
        error {
          code
          message
        }
      }
    }
  }
}

fragment RunReceipt on WorkflowRunReceipt {
  status
  data {
    id: runId
    ...RunResultStatus
    data
    error @omitNull {
      code
      message
    }
  }
}

fragment RunResultStatus on WorkflowRunResult {
  status @choices(of: [{sent: "in queue", value: "QUEUED"}, {sent: "in progress", value: "RUNNING"}, {sent: "in progress", value: "WAITING"}, {sent: "succeed", value: "SUCCEEDED"}, {sent: "failed", value: "FAILED"}, {sent: "failed", value: "CANCELLED"}, {sent: "not found", value: "DRAFT"}, {sent: "not found", value: "EXPIRED"}])
}`,
  },
  {
    operation: 'RunWorkflow',
    method: 'POST',
    path: '/api/v1/workflows/{id}/run/',
    status: 200,
    auth: 'API_KEY',
    body: 'RUN_INPUT',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation RunWorkflow($id: Int!, $input: JSON, $input_text: String, $parts: [WorkflowRunInputPart!], $tags: [String!] @query, $environment: String @header(name: "X-Environment")) {
  workflowRunStart(
    workflowId: $id
    input: $input
    inputText: $input_text
    parts: $parts
    tags: $tags
    environment: $environment
  ) {
    body: receipt {
      ...RunReceipt
    }
  }
}

fragment RunReceipt on WorkflowRunReceipt {
  status
  data {
    id: runId
    ...RunResultStatus
    data
    error @omitNull {
      code
      message
    }
  }
}

fragment RunResultStatus on WorkflowRunResult {
  status @choices(of: [{sent: "in queue", value: "QUEUED"}, {sent: "in progress", value: "RUNNING"}, {sent: "in progress", value: "WAITING"}, {sent: "succeed", value: "SUCCEEDED"}, {sent: "failed", value: "FAILED"}, {sent: "failed", value: "CANCELLED"}, {sent: "not found", value: "DRAFT"}, {sent: "not found", value: "EXPIRED"}])
}`,
  },
  {
    operation: 'ReadWorkflowTerms',
    method: 'GET',
    path: '/api/v1/workflows/{id}/terms/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ReadWorkflowTerms($id: Int!) {
  body: workflow(id: $id) {
    id
    ...WorkflowTermsOfCopy
  }
}

fragment WorkflowTermsOfCopy on Workflow {
  free_runs_left: freeRunsLeft
  terms {
    market_workflow_id: marketWorkflowId
    run_fee: runFee
    free_runs_per_user: freeRunsPerUser
    accepted_at: acceptedAt
    offered {
      run_fee: runFee
      free_runs_per_user: freeRunsPerUser
    }
  }
}`,
  },
  {
    operation: 'AcceptWorkflowTerms',
    method: 'POST',
    path: '/api/v1/workflows/{id}/terms/accept/',
    status: 200,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `mutation AcceptWorkflowTerms($id: Int!, $run_fee: Int!, $free_runs_per_user: Int!) {
  workflowTermsAccept(
    id: $id
    runFee: $run_fee
    freeRunsPerUser: $free_runs_per_user
  ) {
    body: workflow {
      id
      ...WorkflowTermsOfCopy
    }
  }
}

fragment WorkflowTermsOfCopy on Workflow {
  free_runs_left: freeRunsLeft
  terms {
    market_workflow_id: marketWorkflowId
    run_fee: runFee
    free_runs_per_user: freeRunsPerUser
    accepted_at: acceptedAt
    offered {
      run_fee: runFee
      free_runs_per_user: freeRunsPerUser
    }
  }
}`,
  },
  {
    operation: 'ListWorkflowTriggers',
    method: 'GET',
    path: '/api/v1/workflows/{id}/triggers/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListWorkflowTriggers($id: Int!, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: workflowTriggers(workflowId: $id, page: $page, size: $size) {
    page
    size
    total
    items {
      ...WorkflowTrigger
    }
  }
}

fragment WorkflowTrigger on WorkflowTrigger {
  id
  workflow: workflowId
  project: projectId
  name
  kind @choices(of: [{sent: "schedule", value: "SCHEDULE"}, {sent: "webhook", value: "WEBHOOK"}, {sent: "event", value: "EVENT"}, {sent: "failure", value: "FAILURE"}, {sent: "form", value: "FORM"}, {sent: "chat", value: "CHAT"}])
  is_enabled: isEnabled
  is_paused: isPaused
  input
  environment
  schedule {
    cron
    rrule
    at
    time_zone: timeZone
    jitter_seconds: jitterSeconds
    overlap
    missed
    max_missed: maxMissed
  }
  webhook {
    methods
    verification
    header_name: headerName
    tolerance_seconds: toleranceSeconds
    max_body_bytes: maxBodyBytes
    reply
    wait_seconds: waitSeconds
    mapping
  }
  event {
    name
    correlation_key: correlationKey
    mapping
  }
  failure {
    workflows: workflowIds
  }
  form {
    title
    description
    submit_label: submitLabel
    thanks
    shows_result: showsResult
    wait_seconds: waitSeconds
    access
  }
  chat {
    title
    greeting
    access
    allowed_origins: allowedOrigins
    history_messages: historyMessages
    wait_seconds: waitSeconds
    shows_steps: showsSteps
    mapping
  }
  path
  next_at: nextAt
  last_run_id: lastRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'CreateWorkflowTrigger',
    method: 'POST',
    path: '/api/v1/workflows/{id}/triggers/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation CreateWorkflowTrigger($id: Int!, $name: String!, $is_enabled: Boolean! = true, $input: JSON, $environment: String, $schedule: TriggerScheduleInput, $webhook: TriggerWebhookInput, $event: TriggerEventInput, $failure: TriggerFailureInput, $form: TriggerFormInput, $chat: TriggerChatInput) {
  workflowTriggerCreate(
    input: {workflowId: $id, name: $name, isEnabled: $is_enabled, input: $input, environment: $environment, schedule: $schedule, webhook: $webhook, event: $event, failure: $failure, form: $form, chat: $chat}
  ) {
    body: workflowTrigger {
      ...WorkflowTrigger
    }
  }
}

fragment WorkflowTrigger on WorkflowTrigger {
  id
  workflow: workflowId
  project: projectId
  name
  kind @choices(of: [{sent: "schedule", value: "SCHEDULE"}, {sent: "webhook", value: "WEBHOOK"}, {sent: "event", value: "EVENT"}, {sent: "failure", value: "FAILURE"}, {sent: "form", value: "FORM"}, {sent: "chat", value: "CHAT"}])
  is_enabled: isEnabled
  is_paused: isPaused
  input
  environment
  schedule {
    cron
    rrule
    at
    time_zone: timeZone
    jitter_seconds: jitterSeconds
    overlap
    missed
    max_missed: maxMissed
  }
  webhook {
    methods
    verification
    header_name: headerName
    tolerance_seconds: toleranceSeconds
    max_body_bytes: maxBodyBytes
    reply
    wait_seconds: waitSeconds
    mapping
  }
  event {
    name
    correlation_key: correlationKey
    mapping
  }
  failure {
    workflows: workflowIds
  }
  form {
    title
    description
    submit_label: submitLabel
    thanks
    shows_result: showsResult
    wait_seconds: waitSeconds
    access
  }
  chat {
    title
    greeting
    access
    allowed_origins: allowedOrigins
    history_messages: historyMessages
    wait_seconds: waitSeconds
    shows_steps: showsSteps
    mapping
  }
  path
  next_at: nextAt
  last_run_id: lastRunId
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'UnpublishWorkflow',
    method: 'POST',
    path: '/api/v1/workflows/{id}/unpublish-from-marketplace/',
    status: 200,
    auth: 'API_KEY',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: { FORBIDDEN: 400 },
    document: `mutation UnpublishWorkflow($id: Int!) {
  workflowUnpublish(id: $id) {
    body: workflow {
      ...Workflow
    }
  }
}

fragment Workflow on Workflow {
  id
  project: projectId
  title
  data
  sort_id: sortId
  market_title: marketTitle
  short_description: shortDescription
  readme_guide: readmeGuide
  available_languages: availableLanguages
  run_fee: runFee
  free_runs_per_user: freeRunsPerUser
  category: categoryId
  subcategory: subcategoryId
  slug
  is_published: isPublished
  copied_from: copiedFromId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
}`,
  },
  {
    operation: 'RehearseWorkflowChange',
    method: 'POST',
    path: '/api/v1/workflows/{id}/what-if/',
    status: 201,
    auth: 'API_KEY',
    body: 'JSON',
    reply: 'JSON',
    idempotencyKey: true,
    maxAge: null,
    errors: {},
    document: `mutation RehearseWorkflowChange($id: Int!, $node_id: String!, $model: String, $prompt: String, $settings: JSON, $budget_usd: Decimal!, $last: Int, $states: [WorkflowRunState!], $created_after: DateTime, $created_before: DateTime, $allow: [WorkflowRehearsalAllowance!]) {
  workflowWhatIf(
    workflowId: $id
    change: {nodeId: $node_id, model: $model, prompt: $prompt, settings: $settings}
    budgetUsd: $budget_usd
    runs: {last: $last, filter: {states: $states, createdAfter: $created_after, createdBefore: $created_before}}
    allow: $allow
  ) {
    body: rehearsal {
      ...WorkflowRehearsal
    }
  }
}

fragment RehearsalMoney on Money {
  USD: usd
  SR: sr
}

fragment WorkflowRehearsal on WorkflowRehearsal {
  id
  workflow: workflowId
  kind
  state
  revision: revisionNumber
  verdict
  error
  runs_count: runsCount
  ended_count: endedCount
  budget {
    ...RehearsalMoney
  }
  spent {
    ...RehearsalMoney
  }
  cost_before: costBefore {
    ...RehearsalMoney
  }
  cost_after: costAfter {
    ...RehearsalMoney
  }
  finding {
    cause
    revision: revisionNumber
    previous_revision: previousNumber
    model_before: modelBefore
    model_after: modelAfter
    node_ids: nodeIds
    changes_count: changesCount
    replays_count: replaysCount
  }
  created_at: createdAt
  finished_at: finishedAt
}`,
  },
  {
    operation: 'CreateChatCompletion',
    method: 'POST',
    path: '/v1/chat/completions',
    status: 200,
    auth: 'BEARER',
    body: 'VERBATIM',
    reply: 'VERBATIM',
    idempotencyKey: false,
    maxAge: null,
    errors: { BUDGET_EXCEEDED: 402 },
    document: `mutation CreateChatCompletion($body: ChatRequest!, $project: Int @header(name: "X-Project-Id")) {
  chatCompletionCreate(request: $body, projectId: $project) {
    body: chatCompletion
  }
}`,
  },
  {
    operation: 'CreateEmbeddings',
    method: 'POST',
    path: '/v1/embeddings',
    status: 200,
    auth: 'BEARER',
    body: 'VERBATIM',
    reply: 'VERBATIM',
    idempotencyKey: false,
    maxAge: null,
    errors: { BUDGET_EXCEEDED: 402 },
    document: `mutation CreateEmbeddings($body: EmbeddingsRequest!, $project: Int @header(name: "X-Project-Id")) {
  embeddingsCreate(request: $body, projectId: $project) {
    body: embeddings
  }
}`,
  },
  {
    operation: 'CreateModelMessage',
    method: 'POST',
    path: '/v1/messages',
    status: 200,
    auth: 'ANY_KEY',
    body: 'VERBATIM',
    reply: 'VERBATIM',
    idempotencyKey: false,
    maxAge: null,
    errors: { BUDGET_EXCEEDED: 402 },
    document: `mutation CreateModelMessage($body: ModelMessageRequest!, $project: Int @header(name: "X-Project-Id"), $beta: String @header(name: "Anthropic-Beta")) {
  modelMessageCreate(request: $body, projectId: $project, beta: $beta) {
    body: modelMessage
  }
}`,
  },
  {
    operation: 'ListChatModels',
    method: 'GET',
    path: '/v1/models',
    status: 200,
    auth: 'BEARER',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query ListChatModels($project: Int @header(name: "X-Project-Id")) {
  body: chatModels(projectId: $project) {
    object
    data {
      id
      object
      created
      owned_by: ownedBy
    }
  }
}`,
  },
  {
    operation: 'RetrieveChatModel',
    method: 'GET',
    path: '/v1/models/{+model}',
    status: 200,
    auth: 'BEARER',
    body: 'NONE',
    reply: 'JSON',
    idempotencyKey: false,
    maxAge: null,
    errors: {},
    document: `query RetrieveChatModel($model: String!, $project: Int @header(name: "X-Project-Id")) {
  body: chatModel(id: $model, projectId: $project) {
    id
    object
    created
    owned_by: ownedBy
  }
}`,
  },
  {
    operation: 'CreateModelResponse',
    method: 'POST',
    path: '/v1/responses',
    status: 200,
    auth: 'BEARER',
    body: 'VERBATIM',
    reply: 'VERBATIM',
    idempotencyKey: false,
    maxAge: null,
    errors: { BUDGET_EXCEEDED: 402 },
    document: `mutation CreateModelResponse($body: ModelResponseRequest!, $project: Int @header(name: "X-Project-Id")) {
  modelResponseCreate(request: $body, projectId: $project) {
    body: modelResponse
  }
}`,
  },
];
