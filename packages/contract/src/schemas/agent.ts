import { MAX_NAME_LENGTH } from '@countersign/model';
import { z } from 'zod';
import { agentBudgetSchema } from './agent-work.js';
import { digestSchema, jsonObjectSchema, principalSchema, timestampSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape } from './query.js';

/** Tool names are dotted; those of an MCP server contain the server's own names. */
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
    tools: z.array(toolNameSchema).meta({ description: 'Tools whose calls it may propose.' }),
    outputSchema: jsonObjectSchema
      .nullable()
      .meta({ description: 'JSON Schema of its output; `null`: its output is text.' }),
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
      .meta({ description: '`null` if the source of a stopped tool does not offer it now.' }),
    inputSchema: jsonObjectSchema.nullable().meta({ description: 'JSON Schema (2020-12) of the arguments.' }),
    effect: z.enum(['read', 'write']).nullable(),
    reversible: z.boolean().nullable().meta({ description: 'Whether its effect can be undone.' }),
    source: z.string().meta({
      description: 'Source of the tool: `builtin`, or the name of its source, for example of an MCP server.',
    }),
    digest: digestSchema.nullable().meta({
      description:
        'SHA-256 of the tool: over name, description, schemas and effect; if its source may change it, over its complete current description by the source (`null`: the source does not respond).',
    }),
    accepted: z.object({ digest: digestSchema, at: timestampSchema, by: principalSchema }).nullable().meta({
      description:
        'The accepted digest of a tool whose source may change it; `null` for other tools, and if none was accepted yet.',
    }),
    stopped: z
      .object({ code: z.string().meta({ example: 'tool_changed' }), message: z.string(), since: timestampSchema })
      .nullable()
      .meta({ description: 'Why agents cannot call the tool; `null`: they can.' }),
    unavailable: z.string().nullable().meta({
      description:
        'Why its source, for example an MCP server, cannot be reached now; `null`: it can. Agents get the tool anyway, and calls are retried.',
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
