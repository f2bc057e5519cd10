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
    document: `query ListAllWorkflows($search: String, $title__icontains: String, $project: Int, $categories: [Int!], $subcategories: [Int!], $languages: String, $own_scripts: Boolean = false, $ordering: WorkflowListOrder = CREATED_AT_DESC @choices(of: [{sent: "last_run_at", value: "LAST_RUN_AT_ASC"}, {sent: "-last_run_at", value: "LAST_RUN_AT_DESC"}, {sent: "total_cost", value: "TOTAL_COST_ASC"}, {sent: "-total_cost", value: "TOTAL_COST_DESC"}, {sent: "created_at", value: "CREATED_AT_ASC"}, {sent: "-created_at", value: "CREATED_AT_DESC"}]), $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: catalogWorkflows(
    filter: {search: $search, titleContains: $title__icontains, project: $project, categories: $categories, subcategories: $subcategories, languages: $languages, ownScripts: $own_scripts}
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
  body: workflowBookmarkAdd(id: $id) {
    message
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
  body: workflowBookmarkRemove(id: $id) {
    message
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
  body: apiKeyCreate(
    input: {name: $name, expiresAt: $expires_at, userId: $user, rateLimit: $rate_limit}
  ) {
    ...ApiKey
    key
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
  body: apiKeyDelete(id: $id) {
    id
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
      status
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
    document: `query ListDocuments($project: Int, $filename__icontains: String, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: documents(
    filter: {project: $project, filenameContains: $filename__icontains}
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
  body: documentUpload(projectId: $project, files: $files) {
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
  body: documentUpdate(
    id: $id
    input: {key: $key, filename: $filename, file: $file}
  ) {
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
  body: documentDelete(id: $id) {
    id
  }
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
  body: projectInvitationAccept(id: $id) {
    ...ProjectMember
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
  body: projectInvitationDecline(id: $id) {
    id
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
    document: `query ListKeywordruns($project: Int, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: keywordRuns(filter: {project: $project}, page: $page, size: $size) {
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
  status
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
  body: keywordRunCreate(
    input: {project: $project, topic: $topic, url: $url, preset: $preset, doClusterize: $do_clusterize}
  ) {
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
  status
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
  status
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
  body: keywordRunUpdate(id: $id, input: {preset: $preset}) {
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
  status
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
  body: keywordRunDelete(id: $id) {
    id
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
  body: keywordRunClusterize(id: $id) {
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
  status
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
  body: keywordRunKeywordsEnable(id: $id, isEnabled: false) {
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
  status
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
  body: keywordRunKeywordsEnable(id: $id, isEnabled: true) {
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
  status
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
    document: `query ListKeywords($project: Int, $keywordrun: Int, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: keywords(
    filter: {project: $project, keywordrun: $keywordrun}
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
  body: keywordCreate(
    input: {name: $name, project: $project, volume: $volume, competitorUrl: $competitor_url, mode: $mode, keywordCluster: $keyword_cluster, keywordrun: $keywordrun, isEnabled: $is_enabled}
  ) {
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
  body: keywordUpdate(
    id: $id
    input: {name: $name, volume: $volume, competitorUrl: $competitor_url, isEnabled: $is_enabled}
  ) {
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
  body: keywordDelete(id: $id) {
    id
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
    document: `query ListMessages($key: String, $project: Int, $scenariorun: String, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: messages(
    filter: {keyContains: $key, project: $project, scenariorun: $scenariorun}
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
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
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
  body: messageCreate(
    input: {key: $key, project: $project, provider: $provider, returnType: $return_type, parameters: $parameters, isLoop: $is_loop, loopCount: $loop_count, loopVariable: $loop_variable, isAsync: $is_async, prompts: $prompts, conditions: $conditions}
  ) {
    ...Message
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
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
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
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
  body: messageUpdate(
    id: $id
    input: {key: $key, provider: $provider, returnType: $return_type, parameters: $parameters, isLoop: $is_loop, loopCount: $loop_count, loopVariable: $loop_variable, isAsync: $is_async, prompts: $prompts, conditions: $conditions}
  ) {
    ...Message
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
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
  body: messageDelete(id: $id) {
    id
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
  body: messageReorder(id: $id, sortId: $sort_id) {
    ...Message
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
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
  body: passwordChange(
    currentPassword: $current_password
    newPassword: $new_password
    revokeKeys: $revoke_keys
  ) {
    revoked_keys: revokedKeys
  }
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
  body: projectCreate(
    input: {name: $name, webhookUrl: $webhook_url, isWebhookEnabled: $is_webhook_enabled}
  ) {
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
  body: projectUpdate(
    id: $id
    input: {name: $name, webhookUrl: $webhook_url, isWebhookEnabled: $is_webhook_enabled}
  ) {
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
  body: projectDelete(id: $id) {
    id
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
  body: projectInvitationCreate(projectId: $id, email: $email, role: $role) {
    ...ProjectInvitation
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
  body: projectInvitationRevoke(id: $invitation_id, projectId: $id) {
    id
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
  body: projectMemberOffer(projectId: $id, email: $email, role: $role) {
    id
    user: userId
    email
    role
    is_pending: isPending
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
  body: projectMemberUpdate(id: $member_id, role: $role, projectId: $id) {
    ...ProjectMember
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
  body: projectMemberRemove(id: $member_id, projectId: $id) {
    id
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
  body: projectStopwordsSet(id: $id, stopwords: $stopwords) {
    ...ProjectStopwords
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
    document: `query ListPrompts($key: String, $project: Int, $scenariorun: String, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: prompts(
    filter: {keyContains: $key, project: $project, scenariorun: $scenariorun}
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
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
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
    document: `mutation CreatePrompt($key: String!, $role: PromptRole!, $content: String!, $project: Int, $prompt_conditions: [ConditionInput!]) {
  body: promptCreate(
    input: {key: $key, role: $role, content: $content, project: $project, promptConditions: $prompt_conditions}
  ) {
    ...Prompt
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
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
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
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
  body: promptUpdate(
    id: $id
    input: {key: $key, role: $role, content: $content, promptConditions: $prompt_conditions}
  ) {
    ...Prompt
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
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
  body: promptDelete(id: $id) {
    id
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
  body: promptReorder(id: $id, sortId: $sort_id) {
    ...Prompt
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
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
    recognitionrun: $recognitionrun
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
    document: `query ListRecognitionruns($project: Int, $document: Int, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: recognitionRuns(
    filter: {project: $project, document: $document}
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
  status
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
  body: recognitionRunCreate(
    input: {project: $project, document: $document, chunkSize: $chunk_size}
  ) {
    ...Recognitionrun
  }
}

fragment Recognitionrun on RecognitionRun {
  id
  project: projectId
  status
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
  status
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
  body: recognitionRunChunksEnable(id: $id, isEnabled: false) {
    ...Recognitionrun
  }
}

fragment Recognitionrun on RecognitionRun {
  id
  project: projectId
  status
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
  body: recognitionRunChunksEnable(id: $id, isEnabled: true) {
    ...Recognitionrun
  }
}

fragment Recognitionrun on RecognitionRun {
  id
  project: projectId
  status
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
  body: recognitionChunkEnable(runId: $recognitionrun, id: $id, isEnabled: false) {
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
  body: recognitionChunkEnable(runId: $recognitionrun, id: $id, isEnabled: true) {
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
  body: scenarioRunStart(
    input: {scenario: $scenario, scenariorun: $scenariorun, webhookUrl: $webhook_url, doRunDefault: $do_run_default, messages: $messages, variables: $variables, insertedVariables: $inserted_variables}
  ) {
    ...ScenarioRun
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id
    variable
    variable_name: variableName
    value
  }
  local_variables: localVariables {
    message
    name
    value
  }
  processed_messages: processedMessages {
    message
    key
    status
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
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id
    variable
    variable_name: variableName
    value
  }
  local_variables: localVariables {
    message
    name
    value
  }
  processed_messages: processedMessages {
    message
    key
    status
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
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
  body: scenarioRunUpdate(
    id: $id
    input: {webhookUrl: $webhook_url, doRunDefault: $do_run_default, messages: $messages, variables: $variables, insertedVariables: $inserted_variables}
  ) {
    ...ScenarioRun
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id
    variable
    variable_name: variableName
    value
  }
  local_variables: localVariables {
    message
    name
    value
  }
  processed_messages: processedMessages {
    message
    key
    status
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
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
  body: scenarioRunDelete(id: $id) {
    id
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
  body: scenarioRunCancel(id: $id) {
    ...ScenarioRun
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id
    variable
    variable_name: variableName
    value
  }
  local_variables: localVariables {
    message
    name
    value
  }
  processed_messages: processedMessages {
    message
    key
    status
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
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
  body: scenarioRunInsertedVariableUpdate(
    id: $run
    input: {id: $id, value: $value, variable: $variable, variableName: $variable_name}
  ) {
    ...ScenarioRun
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id
    variable
    variable_name: variableName
    value
  }
  local_variables: localVariables {
    message
    name
    value
  }
  processed_messages: processedMessages {
    message
    key
    status
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
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
    document: `mutation UpdateScenarioRunMessage($run: Int!, $id: Int, $key: String, $provider: String, $return_type: MessageReturnType, $parameters: JSON, $is_loop: Boolean, $loop_count: Int @range(min: 1, max: 1000), $loop_variable: Int, $is_async: Boolean, $prompts: [Int!], $conditions: [ConditionInput!]) {
  body: scenarioRunMessageUpdate(
    id: $run
    input: {id: $id, key: $key, provider: $provider, returnType: $return_type, parameters: $parameters, isLoop: $is_loop, loopCount: $loop_count, loopVariable: $loop_variable, isAsync: $is_async, prompts: $prompts, conditions: $conditions}
  ) {
    ...ScenarioRun
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id
    variable
    variable_name: variableName
    value
  }
  local_variables: localVariables {
    message
    name
    value
  }
  processed_messages: processedMessages {
    message
    key
    status
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
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
    document: `mutation UpdateScenarioRunVariable($run: Int!, $id: Int, $key: String, $variable_names: [VariableNameInput!], $value: String) {
  body: scenarioRunVariableUpdate(
    id: $run
    input: {id: $id, key: $key, variableNames: $variable_names, value: $value}
  ) {
    ...ScenarioRun
  }
}

fragment Condition on Condition {
  is_enabled: isEnabled
  type
  matching
  value
  action
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
  created_at: createdAt
  updated_at: updatedAt
}

fragment ScenarioRun on ScenarioRun {
  id
  scenario: scenarioId
  project: projectId
  status
  webhook_url: webhookUrl
  do_run_default: doRunDefault
  messages {
    ...Message
  }
  variables {
    ...Variable
  }
  inserted_variables: insertedVariables {
    id
    variable
    variable_name: variableName
    value
  }
  local_variables: localVariables {
    message
    name
    value
  }
  processed_messages: processedMessages {
    message
    key
    status
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
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
    document: `query ListScenarios($name__icontains: String, $project: Int, $scenariorun: Int, $scenariorun__isnull: Boolean, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: scenarios(
    filter: {nameContains: $name__icontains, project: $project, scenariorun: $scenariorun, scenariorunIsNull: $scenariorun__isnull}
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
  scenariorun: scenariorunId
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
  body: scenarioCreate(
    input: {name: $name, project: $project, category: $category, subcategory: $subcategory, runFee: $run_fee, freeRunsPerUser: $free_runs_per_user, messages: $messages, availableLanguages: $available_languages, marketTitle: $market_title, shortDescription: $short_description, marketPermission: $market_permission, readmeGuide: $readme_guide}
  ) {
    ...Scenario
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
  scenariorun: scenariorunId
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
  variable
  variable_name: variableName
  message
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
  scenariorun: scenariorunId
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
  scenariorun: scenariorunId
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
  scenariorun: scenariorunId
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
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
  body: scenarioUpdate(
    id: $id
    input: {name: $name, category: $category, subcategory: $subcategory, runFee: $run_fee, freeRunsPerUser: $free_runs_per_user, messages: $messages, availableLanguages: $available_languages, marketTitle: $market_title, shortDescription: $short_description, marketPermission: $market_permission, readmeGuide: $readme_guide}
  ) {
    ...Scenario
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
  scenariorun: scenariorunId
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
  body: scenarioDelete(id: $id) {
    id
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
  body: scenarioReorder(id: $id, sortId: $sort_id) {
    ...Scenario
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
  scenariorun: scenariorunId
  can_edit: canEdit
  created_at: createdAt
  updated_at: updatedAt
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
  body: sessionCreate(email: $email, password: $password) {
    ...Session
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
  body: sessionRefresh(refresh: $refresh) {
    ...Session
  }
}

fragment Session on Session {
  access
  refresh
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
    document: `query ListVariables($key: String, $project: Int, $scenariorun: String, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: variables(
    filter: {keyContains: $key, project: $project, scenariorun: $scenariorun}
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
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
    document: `mutation CreateVariable($key: String!, $project: Int!, $variable_names: [VariableNameInput!]!, $is_global: Boolean, $keywordrun: Int, $keywordrun_mode: KeywordrunMode) {
  body: variableCreate(
    input: {key: $key, project: $project, variableNames: $variable_names, isGlobal: $is_global, keywordrun: $keywordrun, keywordrunMode: $keywordrun_mode}
  ) {
    ...Variable
  }
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
    document: `mutation UpdateVariable($id: Int!, $key: String, $variable_names: [VariableNameInput!], $is_global: Boolean, $keywordrun: Int, $keywordrun_mode: KeywordrunMode) {
  body: variableUpdate(
    id: $id
    input: {key: $key, variableNames: $variable_names, isGlobal: $is_global, keywordrun: $keywordrun, keywordrunMode: $keywordrun_mode}
  ) {
    ...Variable
  }
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
  body: variableDelete(id: $id) {
    id
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
  body: variableReorder(id: $id, sortId: $sort_id) {
    ...Variable
  }
}

fragment Variable on Variable {
  id
  key
  project: projectId
  variable_names: variableNames {
    id
    name
    value
    is_active: isActive
  }
  is_global: isGlobal
  keywordrun: keywordrunId
  keywordrun_mode: keywordrunMode
  sort_id: sortId
  scenariorun: scenariorunId
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
    document: `query ListWorkflows($project: Int, $title: String, $page: Int = 1 @range(min: 1), $size: Int = 10 @range(min: 0, max: 100)) {
  body: workflows(
    filter: {project: $project, titleContains: $title}
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
  body: workflowCreate(
    input: {project: $project, title: $title, data: $data, marketTitle: $market_title, shortDescription: $short_description, readmeGuide: $readme_guide, availableLanguages: $available_languages, runFee: $run_fee, freeRunsPerUser: $free_runs_per_user, category: $category, subcategory: $subcategory}
  ) {
    ...Workflow
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
    document: `mutation UpdateExecution($workflow_run_id: UUID!, $status: String!, $sequence: Int! @range(min: 0, max: 2147483647), $data: JSON, $output: JSON, $error: JSON, $started_at: DateTime, $finished_at: DateTime, $transactions: JSON) {
  body: workflowRunReport(
    id: $workflow_run_id
    input: {status: $status, sequence: $sequence, data: $data, output: $output, error: $error, startedAt: $started_at, finishedAt: $finished_at, transactions: $transactions}
  ) {
    status
    data {
      id
      status
      data
      output
      error @omitNull
    }
  }
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
    outputs
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
  id
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
  status
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
    filter: {search: $search, categories: $categories, subcategories: $subcategories, languages: $languages, publishedAfter: $marketplace_date_last_publication_after, publishedBefore: $marketplace_date_last_publication_before}
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
  body: workflowCopyFromMarketplace(slug: $slug, project: $project) {
    ...Workflow
    gaps {
      node_id: nodeId
      path
      kind
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
    document: `query ListMcpTools($endpoint_url: String!, $transport: McpTransport, $headers: JSON, $timeout: Float @range(min: 0.1, max: 30), $workflow_id: Int, $node_id: String) {
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
  body: workflowRunStartGraph(
    id: $task_id
    data: $data
    input: $input_data
    project: $project
  ) {
    ...RunReceipt
  }
}

fragment RunReceipt on WorkflowRunReceipt {
  status
  data {
    id
    status
    data
    error @omitNull
  }
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
      id
      status
      data
      output
      error @omitNull
    }
  }
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
  body: agentApprovalApprove(runId: $workflow_run_id, requestId: $request_id) {
    ...AgentApprovalReceipt
  }
}

fragment AgentApprovalReceipt on AgentApprovalReceipt {
  status
  data {
    id
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
  body: agentApprovalReject(runId: $workflow_run_id, requestId: $request_id) {
    ...AgentApprovalReceipt
  }
}

fragment AgentApprovalReceipt on AgentApprovalReceipt {
  status
  data {
    id
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
    errors: {},
    document: `mutation UpdateWorkflow($id: Int!, $title: String, $data: JSON, $market_title: String, $short_description: String, $readme_guide: String, $available_languages: [String!], $run_fee: Int @range(min: 0, max: 999), $free_runs_per_user: Int @range(min: 0), $category: Int, $subcategory: Int) {
  body: workflowUpdate(
    id: $id
    input: {title: $title, data: $data, marketTitle: $market_title, shortDescription: $short_description, readmeGuide: $readme_guide, availableLanguages: $available_languages, runFee: $run_fee, freeRunsPerUser: $free_runs_per_user, category: $category, subcategory: $subcategory}
  ) {
    ...Workflow
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
  body: workflowDelete(id: $id) {
    id
  }
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
  body: workflowDuplicate(id: $id) {
    ...Workflow
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
  id
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
  status
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
  id
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
  status
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
  body: workflowRunCancel(id: $run_id, workflowId: $id) {
    ...WorkflowRun
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id
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
  status
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
  body: workflowRunRestart(
    workflowId: $id
    id: $run_id
    input: $input
    inputText: $input_text
  ) {
    ...RunReceipt
  }
}

fragment RunReceipt on WorkflowRunReceipt {
  status
  data {
    id
    status
    data
    error @omitNull
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
  body: workflowRunApiRunSet(workflowId: $id, id: $run_id, isApiRun: $is_api_run) {
    ...WorkflowRun
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id
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
  status
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
  body: workflowRunExampleSet(
    workflowId: $id
    id: $run_id
    useInMarketplaceExample: $use_in_marketplace_example
  ) {
    ...WorkflowRun
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id
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
  status
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
  body: workflowRunTemplateSet(
    workflowId: $id
    id: $run_id
    useAsMarketplaceTemplate: $use_as_marketplace_template
  ) {
    ...WorkflowRun
  }
}

fragment WorkflowInputField on WorkflowInputField {
  id
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
  status
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
  id
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
  body: workflowPublish(id: $id) {
    ...Workflow
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
  body: workflowReorder(id: $id, sortId: $sort_id) {
    ...Workflow
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
    document: `mutation RunWorkflow($id: Int!, $input: JSON, $input_text: String) {
  body: workflowRunStart(workflowId: $id, input: $input, inputText: $input_text) {
    ...RunReceipt
  }
}

fragment RunReceipt on WorkflowRunReceipt {
  status
  data {
    id
    status
    data
    error @omitNull
  }
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
  body: workflowTermsAccept(
    id: $id
    runFee: $run_fee
    freeRunsPerUser: $free_runs_per_user
  ) {
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
  body: workflowUnpublish(id: $id) {
    ...Workflow
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
  body: chatCompletionCreate(request: $body, projectId: $project)
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
];
