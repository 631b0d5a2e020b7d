import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@countersign/core/plugin';
import { canonicalJson, escapePointer, findJsonProblem, isJsonObject, unescapePointer } from '@countersign/model';
import { argumentsChecker } from './check-arguments.js';
import type { HideSecrets } from './hide-secrets.js';
import { localSchema } from './local-schema.js';
import { hasHiddenCharacters, visibleUpTo } from './visible-text.js';

const MAX_DESCRIPTION = 4_000;
const MAX_SCHEMA = 65_536;
/** Maximum size after references are rewritten, in characters. */
const MAX_SHOWN_SCHEMA = 131_072;
const MAX_ALL = 262_144;
const DEEPEST = 32;
/**
 * Maximum length of all names on the path to a part of a schema, in characters: V8 gives all keys of one length beyond
 * 16,383 the same hash.
 */
const MAX_PATH = 1_500;
const MAX_PROSE = 1_000;

/** Keywords whose texts are for people and models, and do not validate. */
const PROSE: ReadonlySet<string> = new Set(['description', 'title', '$comment']);

/** A tool of a server in a form that can be shown. */
export interface OfferedTool {
  /** The server's name for the tool. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** `sha256:<hex>` over the server's whole original description of the tool (RFC 8785). */
  readonly digest: string;
}

/**
 * Reads one tool of a list. The description is untrusted data that models see: its size is limited, and it contains no
 * characters that are invisible to a person who reviews it.
 *
 * @param hide removes secrets; the digest covers the original, including secrets, and does not change with them
 * @throws {Error} with the reason, if the tool cannot be shown or called
 */
export function readOfferedTool(given: JsonObject, hide: HideSecrets = (tool) => tool): OfferedTool {
  // JSON.parse keeps a member "__proto__"; nothing is copied that was not checked here.
  const problem = findJsonProblem(given);
  if (problem !== undefined)
    throw new Error(
      problem.code === 'too_deep'
        ? 'it is nested too deeply'
        : `at ${visibleUpTo(pointerWithout(problem.pointer, hide), 200)}: ${problem.message}`,
    );
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = given;
  if (typeof name !== 'string') throw new Error('it has no name');
  if (description !== undefined && typeof description !== 'string') throw new Error('its description is not a string');
  if (!isJsonObject(inputSchema) || !isOfObject(inputSchema))
    throw new Error('its input schema does not describe an object');
  if (isJsonObject(execution) && execution['taskSupport'] === 'required')
    throw new Error('it can only be called as a task, which is not supported');
  const said = Object.fromEntries(
    Object.entries({ name, title, description, inputSchema, outputSchema, annotations }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as JsonObject;
  if (JSON.stringify(inputSchema).length > MAX_SCHEMA)
    throw new Error(`its input schema is larger than ${MAX_SCHEMA} characters`);
  if (JSON.stringify(said).length > MAX_ALL) throw new Error(`it is larger than ${MAX_ALL} characters`);
  const shown = { ...localSchema(shownSchema(hide(inputSchema), 0, 0, false) as JsonObject), type: 'object' };
  if (JSON.stringify(shown).length > MAX_SHOWN_SCHEMA)
    throw new Error('its schema is too large with its references expanded');
  argumentsChecker(shown);
  return {
    name,
    description: visibleUpTo(hide(description ?? (typeof title === 'string' ? title : '')), MAX_DESCRIPTION),
    inputSchema: shown,
    digest: `sha256:${createHash('sha256').update(canonicalJson(said)).digest('hex')}`,
  };
}

/** Returns a pointer without secrets, which its escapes would otherwise hide. */
function pointerWithout(pointer: string, hide: HideSecrets): string {
  return hide(pointer.split('/').map(unescapePointer)).map(escapePointer).join('/');
}

/** Returns whether a schema accepts objects. Arguments are an object, so a schema without a type does. */
function isOfObject({ type = null }: JsonObject): boolean {
  return type === null || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/**
 * Makes prose visible; refuses hidden characters anywhere else, because a reviewer could not see what the schema means.
 */
function shownSchema(value: Json, depth: number, path: number, isProse: boolean): Json {
  if (depth > DEEPEST) throw new Error('its input schema is nested too deeply');
  if (path > MAX_PATH)
    throw new Error(`its input schema has nested names of more than ${MAX_PATH} characters in total`);
  if (typeof value === 'string') {
    if (isProse) return visibleUpTo(value, MAX_PROSE);
    if (hasHiddenCharacters(value)) throw new Error('its input schema has hidden characters');
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => shownSchema(item, depth + 1, path, false));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (hasHiddenCharacters(key)) throw new Error('its input schema has names with hidden characters');
      return [key, shownSchema(item, depth + 1, path + key.length, PROSE.has(key) && typeof item === 'string')];
    }),
  );
}
