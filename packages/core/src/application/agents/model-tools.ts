import type { ModelTool } from '../../contributions/model-provider.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import type { Json, JsonObject } from '@countersign/model';
import { flattenSchema } from './flatten-schema.js';
import { ModelPropertyNames } from './model-property-names.js';
import { toModelSchema } from './to-model-schema.js';
import { toModelToolName } from './tool-names.js';

/** Maximum length of a tool description, in characters. Some APIs refuse longer ones. */
const MAX_DESCRIPTION_CHARACTERS = 1_024;

interface ModelSchema {
  readonly schema: JsonObject;
  readonly lostConstraints: string | null;
  readonly names: ModelPropertyNames;
}

/** Cache of model schemas by the tool's schema object, which never changes. */
const MODEL_SCHEMAS = new WeakMap<JsonObject, ModelSchema>();

/**
 * Converts a tool to a form that all model APIs accept. The tool's own names and schema are used to check, decide,
 * approve, record and send calls.
 */
export function toModelTool({ name, description, inputSchema }: AgentTool): ModelTool {
  const { schema, lostConstraints } = getModelSchema(inputSchema);
  return {
    name: toModelToolName(name),
    description: lostConstraints === null ? description : appendLostConstraints(description, lostConstraints),
    inputSchema: schema,
  };
}

/** Translates arguments from a language model to the tool's own names. */
export function fromModelArguments({ inputSchema }: AgentTool, modelArguments: Json): Json {
  return getModelSchema(inputSchema).names.toOriginalNames(modelArguments);
}

/** Translates the recorded arguments of an earlier call back to the names that the language model used. */
export function toModelArguments({ inputSchema }: AgentTool, callArguments: Json): Json {
  return getModelSchema(inputSchema).names.toModelNames(callArguments);
}

/** Translates the names in a message about arguments to the names that the language model received. */
export function toModelMessage({ inputSchema }: AgentTool, message: string): string {
  return getModelSchema(inputSchema).names.replaceNamesInText(message);
}

function getModelSchema(inputSchema: JsonObject): ModelSchema {
  const cached = MODEL_SCHEMAS.get(inputSchema);
  if (cached !== undefined) return cached;
  const names = new ModelPropertyNames();
  const modelSchema = { ...flattenSchema(toModelSchema(inputSchema, names)), names };
  MODEL_SCHEMAS.set(inputSchema, modelSchema);
  return modelSchema;
}

function appendLostConstraints(description: string, lostConstraints: string): string {
  const maxLength = MAX_DESCRIPTION_CHARACTERS - lostConstraints.length - 2;
  const shortenedDescription =
    description.length <= maxLength ? description : `${description.slice(0, maxLength - 1).toWellFormed()}…`;
  return `${shortenedDescription}\n\n${lostConstraints}`.trim();
}
