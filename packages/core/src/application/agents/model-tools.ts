import type { ModelTool } from '../../contributions/model-provider.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import { isJsonObject, type Json } from '@countersign/model';
import { flatSchema } from './flat-schema.js';
import { withNamesForModel, withOwnNames, withShownNames } from './schema-names.js';
import { modelName } from './tool-names.js';

/**
 * A tool as models are shown it: in a form that all their APIs take. Its own names and its own schema are what is checked,
 * decided on, approved, recorded and sent.
 */
export function toolForModel({ name, description, inputSchema }: AgentTool): ModelTool {
  const { schema, lost } = flatSchema(inputSchema);
  const shown = withShownNames(schema);
  return {
    name: modelName(name),
    description: lost === null ? description : `${description}\n\n${lost}`.trim(),
    inputSchema: isJsonObject(shown) ? shown : inputSchema,
  };
}

/** The arguments that a model has given, by the tool's own names. */
export function argumentsOfModel({ inputSchema }: AgentTool, given: Json): Json {
  return withOwnNames(given, inputSchema);
}

/** Arguments of an earlier call, as the model has given them. */
export function argumentsForModel({ inputSchema }: AgentTool, given: Json): Json {
  return withNamesForModel(given, inputSchema);
}
