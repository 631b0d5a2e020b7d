import type { ModelTool } from '../../contributions/model-provider.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import type { Json, JsonObject } from '@countersign/model';
import { flatSchema } from './flat-schema.js';
import { ShownNames } from './shown-names.js';
import { shownSchema } from './shown-schema.js';
import { modelName } from './tool-names.js';

/** Some APIs take no longer description of a tool, in characters. */
const MAX_DESCRIPTION = 1_024;

interface Shown {
  readonly schema: JsonObject;
  readonly lost: string | null;
  readonly names: ShownNames;
}

/** By the schema of the tool, which does not change. */
const SHOWN = new WeakMap<JsonObject, Shown>();

/**
 * A tool as models are shown it: in a form that all their APIs take. Its own names and its own schema are what is checked,
 * decided on, approved, recorded and sent.
 */
export function toolForModel({ name, description, inputSchema }: AgentTool): ModelTool {
  const { schema, lost } = shownOf(inputSchema);
  return {
    name: modelName(name),
    description: lost === null ? description : withLost(description, lost),
    inputSchema: schema,
  };
}

/** The arguments that a model has given, by the tool's own names. */
export function argumentsOfModel({ inputSchema }: AgentTool, given: Json): Json {
  return shownOf(inputSchema).names.toOwn(given);
}

/** Arguments of an earlier call, as the model has given them. */
export function argumentsForModel({ inputSchema }: AgentTool, given: Json): Json {
  return shownOf(inputSchema).names.toShown(given);
}

/** A message about arguments, by the names that the model knows. */
export function messageForModel({ inputSchema }: AgentTool, message: string): string {
  return shownOf(inputSchema).names.toShownIn(message);
}

function shownOf(inputSchema: JsonObject): Shown {
  const known = SHOWN.get(inputSchema);
  if (known !== undefined) return known;
  const names = new ShownNames();
  const shown = { ...flatSchema(shownSchema(inputSchema, names)), names };
  SHOWN.set(inputSchema, shown);
  return shown;
}

function withLost(description: string, lost: string): string {
  const room = MAX_DESCRIPTION - lost.length - 2;
  const said = description.length <= room ? description : `${description.slice(0, room - 1).toWellFormed()}…`;
  return `${said}\n\n${lost}`.trim();
}
