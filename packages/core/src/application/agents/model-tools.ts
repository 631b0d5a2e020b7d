import type { ModelTool } from '../../contributions/model-provider.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import type { Json, JsonObject } from '@countersign/model';
import { flatSchema } from './flat-schema.js';
import { ShownNames } from './shown-names.js';
import { shownSchema } from './shown-schema.js';
import { modelName } from './tool-names.js';

/** Maximum length of a tool description, in characters. Some APIs refuse longer ones. */
const MAX_DESCRIPTION = 1_024;

interface Shown {
  readonly schema: JsonObject;
  readonly lost: string | null;
  readonly names: ShownNames;
}

/** Cached by the tool's schema object, which never changes. */
const SHOWN = new WeakMap<JsonObject, Shown>();

/**
 * Converts a tool to a form that all model APIs accept. The tool's own names and schema are used to check, decide,
 * approve, record and send calls.
 */
export function toolForModel({ name, description, inputSchema }: AgentTool): ModelTool {
  const { schema, lost } = shownOf(inputSchema);
  return {
    name: modelName(name),
    description: lost === null ? description : withLost(description, lost),
    inputSchema: schema,
  };
}

/** Translates arguments from a language model to the tool's own names. */
export function argumentsOfModel({ inputSchema }: AgentTool, given: Json): Json {
  return shownOf(inputSchema).names.toOwn(given);
}

/** Translates the recorded arguments of an earlier call back to the names that the language model used. */
export function argumentsForModel({ inputSchema }: AgentTool, given: Json): Json {
  return shownOf(inputSchema).names.toShown(given);
}

/** Translates a message about arguments to the names that the language model knows. */
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
