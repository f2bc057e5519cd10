import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';

@ObjectType({ description: 'A workflow that MCP clients can call as a tool of the project, see docs/mcp-server.md.' })
export class McpServerTool {
  @Field(() => Int, { description: 'Id of the workflow. A workflow is at most one tool.' })
  workflowId!: number;

  @Field(() => Int, { description: 'Id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'Name of the tool, unique in the project.' })
  name!: string;

  @Field(() => String, {
    description: 'What the tool does, for the model that selects it. Empty: clients see the title of the workflow.',
  })
  description!: string;

  @Field(() => Boolean, { description: 'Whether MCP clients can list and call the tool.' })
  isEnabled!: boolean;

  @Field(() => DateTime, { description: 'When the workflow became a tool.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the tool was last changed.' })
  updatedAt!: Date;

  /** Revision of the workflow. Used by the field resolver `inputSchema`. */
  revisionId!: number;

  /** Title of the workflow. */
  title!: string;
}

@ObjectType({ description: 'One page of tools for MCP clients.' })
export class McpServerToolPage extends pageOf(McpServerTool) {}

@InputType({ description: 'The settings of a workflow as a tool for MCP clients.' })
export class McpServerToolInput {
  @Field(() => String, {
    description: 'Name of the tool, unique in the project: 1-64 letters, digits, `_` and `-`.',
  })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the tool does, at most 2,000 characters. Default: empty.',
  })
  description?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether MCP clients can call the tool. Default: true.' })
  isEnabled?: boolean | null;
}
