import { ArgsType, Field, Float, Int, registerEnumType } from 'type-graphql';
import { type HttpHeaders, HttpHeadersValue } from '../../../platform/json/scalars.js';

export enum McpTransport {
  AUTO = 'auto',
  SSE = 'sse',
  STREAMABLE_HTTP = 'streamable_http',
}

registerEnumType(McpTransport, {
  name: 'McpTransport',
  description: 'Transport of the Model Context Protocol (MCP).',
  valuesConfig: {
    AUTO: { description: 'Streamable HTTP, or SSE when the server does not support it.' },
    SSE: { description: 'Server-sent events, the older transport.' },
    STREAMABLE_HTTP: { description: 'Streamable HTTP.' },
  },
});

@ArgsType()
export class McpToolsArgs {
  @Field(() => String, {
    description:
      'URL of the MCP server, http or https. With `workflowId` and `nodeId` it must be the URL of that node, as stored or with its placeholders replaced.',
  })
  endpointUrl!: string;

  @Field(() => McpTransport, {
    nullable: true,
    description: 'Transport. Default: the transport of the stored node, otherwise AUTO.',
  })
  transport?: McpTransport | null;

  @Field(() => HttpHeadersValue, {
    nullable: true,
    description:
      'Additional headers. With a stored node they are added to its headers; `********` or the stored text keeps the stored value.',
  })
  headers?: HttpHeaders | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'Time limit for the whole exchange in seconds, 0.1-30. Default: the limit of the stored node, otherwise 10.',
  })
  timeout?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Id of the workflow whose stored configuration is used. Requires `nodeId`.',
  })
  workflowId?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'UUID of an MCP or agent node of that workflow. Requires `workflowId`.',
  })
  nodeId?: string | null;
}
