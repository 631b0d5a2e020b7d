import { MAX_NAME_LENGTH } from '@countersign/model';
import { z } from 'zod';
import { agentBudgetSchema } from './agent-work.js';
import { digestSchema, jsonObjectSchema, principalSchema, timestampSchema } from './common.js';
import { listOf } from './list.js';
import { pageQueryShape } from './query.js';

/** Tool names are dotted; those of an MCP server contain the server's own names. */
export const toolNameSchema = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .meta({ description: 'The name of a tool.', example: 'artifact.read' });

export const agentSchema = z
  .object({
    name: z.string().meta({ example: 'triage' }),
    description: z.string().nullable(),
    model: z.object({ provider: z.string().meta({ example: 'anthropic' }), name: z.string() }),
    tools: z.array(toolNameSchema).meta({ description: 'The tools that it may propose calls of.' }),
    outputSchema: jsonObjectSchema
      .nullable()
      .meta({ description: 'JSON Schema of its answer; `null`: it answers with text.' }),
    budget: agentBudgetSchema,
    digest: digestSchema.meta({
      description:
        'SHA-256 over the RFC 8785 form of the definition. A step stays on the definition that it began with.',
    }),
  })
  .meta({ id: 'Agent', description: 'The definition of an agent, as it is in force.' });

export const toolSchema = z
  .object({
    name: toolNameSchema,
    description: z
      .string()
      .nullable()
      .meta({ description: '`null` where the source of a stopped tool does not offer it now.' }),
    inputSchema: jsonObjectSchema.nullable().meta({ description: 'JSON Schema (2020-12) of the arguments.' }),
    effect: z.enum(['read', 'write']).nullable(),
    reversible: z.boolean().nullable().meta({ description: 'Whether what it did can be undone.' }),
    source: z.string().meta({
      description: 'Where it comes from: `builtin`, or the name of its source, for example of an MCP server.',
    }),
    digest: digestSchema.nullable().meta({
      description:
        'SHA-256 of what it is: over name, description, schemas and effect; of a tool whose source may change it, over all that the source says of it now (`null`: it does not answer).',
    }),
    accepted: z.object({ digest: digestSchema, at: timestampSchema, by: principalSchema }).nullable().meta({
      description:
        'What was accepted of a tool whose source may change it; `null` for others, and where nothing was yet.',
    }),
    stopped: z
      .object({ code: z.string().meta({ example: 'tool_changed' }), message: z.string(), since: timestampSchema })
      .nullable()
      .meta({ description: 'Why agents cannot call it; `null`: they can.' }),
    unavailable: z.string().nullable().meta({
      description:
        'Why its source, for example an MCP server, cannot be called at the moment; `null`: it can. Agents are given the tool all the same, and calls are tried again.',
      example: null,
    }),
  })
  .meta({ id: 'Tool', description: 'A tool that agents may call, or that is stopped.' });

export const agentListSchema = listOf(agentSchema, 'AgentList');
export const toolListSchema = listOf(toolSchema, 'ToolList');
export const listAgentsQuerySchema = z.strictObject(pageQueryShape);
export const listToolsQuerySchema = z.strictObject(pageQueryShape);

export const acceptToolBodySchema = z
  .strictObject({ digest: digestSchema.meta({ description: 'Of the tool as you have looked at it.' }) })
  .meta({ id: 'AcceptTool' });

export type Agent = z.infer<typeof agentSchema>;
export type Tool = z.infer<typeof toolSchema>;
export type AcceptToolBody = z.infer<typeof acceptToolBodySchema>;
