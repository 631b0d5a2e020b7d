import { MAX_NAME_LENGTH } from '@countersign/model';
import { z } from 'zod';
import { agentBudgetSchema } from './agent-work.js';
import { digestSchema, jsonObjectSchema, principalSchema, timestampSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape } from './query.js';

/** Name of a tool. Names are dotted; the name of an MCP tool contains the name that the MCP server uses. */
export const toolNameSchema = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .meta({ description: 'Name of a tool.', example: 'artifact.read' });

export const agentSchema = z
  .object({
    name: z.string().meta({ example: 'triage' }),
    description: z.string().nullable(),
    model: z.object({ provider: z.string().meta({ example: 'anthropic' }), name: z.string() }),
    tools: z.array(toolNameSchema).meta({ description: 'Tools that the agent may propose to call.' }),
    outputSchema: jsonObjectSchema
      .nullable()
      .meta({ description: 'JSON Schema of the output of the agent; `null` if the output is text.' }),
    budget: agentBudgetSchema,
    digest: digestSchema.meta({
      description:
        'SHA-256 over the RFC 8785 form of the definition. A step keeps the definition with which it started.',
    }),
  })
  .meta({ id: 'Agent', description: 'The current definition of an agent.' });

export const toolSchema = z
  .object({
    name: toolNameSchema,
    description: z
      .string()
      .nullable()
      .meta({ description: '`null` if the tool is stopped and its source does not currently offer it.' }),
    inputSchema: jsonObjectSchema.nullable().meta({ description: 'JSON Schema (2020-12) of the arguments.' }),
    effect: z.enum(['read', 'write']).nullable(),
    reversible: z.boolean().nullable().meta({ description: 'Whether its effect can be undone.' }),
    source: z.string().meta({
      description: 'Source of the tool: `builtin`, or the name of a tool source, such as an MCP server.',
    }),
    digest: digestSchema.nullable().meta({
      description:
        'SHA-256 over the name, description, schemas and effect of the tool. If the source may change the tool: over the complete description that the source currently provides (`null` if the source does not respond).',
    }),
    accepted: z.object({ digest: digestSchema, at: timestampSchema, by: principalSchema }).nullable().meta({
      description:
        'The accepted digest of a tool whose source may change it; `null` for other tools, and if none was accepted yet.',
    }),
    stopped: z
      .object({ code: z.string().meta({ example: 'tool_changed' }), message: z.string(), since: timestampSchema })
      .nullable()
      .meta({ description: 'The reason why agents cannot call the tool; `null` if they can.' }),
    unavailable: z.string().nullable().meta({
      description:
        'The reason why the source of the tool, for example an MCP server, cannot be reached; `null` if it can be reached. The tool is still offered to agents, and calls are retried.',
      example: null,
    }),
  })
  .meta({ id: 'Tool', description: 'A tool that agents may call, or that is stopped.' });

export const agentListSchema = buildListSchema(agentSchema, 'AgentList');
export const toolListSchema = buildListSchema(toolSchema, 'ToolList');
export const listAgentsQuerySchema = z.strictObject(pageQueryShape);
export const listToolsQuerySchema = z.strictObject(pageQueryShape);

export const acceptToolBodySchema = z
  .strictObject({ digest: digestSchema.meta({ description: 'Digest of the tool that you reviewed.' }) })
  .meta({ id: 'AcceptTool' });

export type Agent = z.infer<typeof agentSchema>;
export type Tool = z.infer<typeof toolSchema>;
export type AcceptToolBody = z.infer<typeof acceptToolBodySchema>;
