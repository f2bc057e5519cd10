import { ArgsType, Field, Float, Int, registerEnumType } from 'type-graphql';
import { JSONValue } from '../../../platform/json/scalars.js';

export enum McpTransport {
  AUTO = 'auto',
  SSE = 'sse',
  STREAMABLE_HTTP = 'streamable_http',
}

registerEnumType(McpTransport, {
  name: 'McpTransport',
  description: 'How an MCP server is spoken to.',
  valuesConfig: {
    AUTO: { description: 'By streamable HTTP, or by SSE when the server does not know it.' },
    SSE: { description: 'By server-sent events, the older transport.' },
    STREAMABLE_HTTP: { description: 'By streamable HTTP.' },
  },
});

@ArgsType()
export class McpToolsArgs {
  @Field(() => String, {
    description:
      'Address of the MCP server, http or https. With `workflowId` and `nodeId`: the address of that node, as it is stored or as its placeholders make it.',
  })
  endpointUrl!: string;

  @Field(() => McpTransport, {
    nullable: true,
    description: 'How to speak to the server. Default: that of the stored node, else AUTO.',
  })
  transport?: McpTransport | null;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Extra headers by name. With a stored node they are added to its own; `********`, or the text that is stored, stands for the stored value.',
  })
  headers?: unknown;

  @Field(() => Float, {
    nullable: true,
    description:
      'Seconds from the first connection to the last answer, 0.1-30. Default: that of the stored node, else 10.',
  })
  timeout?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The workflow whose stored configuration is used; needs `nodeId`.',
  })
  workflowId?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'UUID of an MCP or agent node of that workflow; needs `workflowId`.',
  })
  nodeId?: string | null;
}
