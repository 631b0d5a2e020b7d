import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@countersign/core/plugin';
import { canonicalJson, escapePointer, findJsonProblem, isJsonObject, unescapePointer } from '@countersign/model';
import { argumentsChecker } from './check-arguments.js';
import type { HideSecrets } from './hide-secrets.js';
import { localSchema } from './local-schema.js';
import { hasHiddenCharacters, visibleUpTo } from './visible-text.js';

const MAX_DESCRIPTION = 4_000;
const MAX_SCHEMA = 65_536;
/** Once its references are written anew, in characters. */
const MAX_SHOWN_SCHEMA = 131_072;
const MAX_ALL = 262_144;
const DEEPEST = 32;
/** Of all names that lead to a part of a schema, in characters: V8 takes all keys of one length beyond 16,383 for alike. */
const MAX_PATH = 1_500;
const MAX_PROSE = 1_000;

/** Keywords whose texts are for people and models, and say nothing of what fits. */
const PROSE: ReadonlySet<string> = new Set(['description', 'title', '$comment']);

/** A tool as a server offers it, fit to be shown. */
export interface OfferedTool {
  /** As the server names it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** `sha256:<hex>` over all that the server says of it (RFC 8785), before anything is made fit. */
  readonly digest: string;
}

/**
 * Reads one tool of a list. What a server says is data of strangers that models are shown: it is bounded, and has no
 * character that a person who looks at it does not see.
 *
 * @param hide its secrets; the digest is of what the server says, secrets included, and does not change with them
 * @throws {Error} where it is not fit to be shown or called, saying why
 */
export function readOfferedTool(given: JsonObject, hide: HideSecrets = (tool) => tool): OfferedTool {
  // JSON.parse makes a member of "__proto__"; nothing copies what is not looked at here.
  const problem = findJsonProblem(given);
  if (problem !== undefined)
    throw new Error(
      problem.code === 'too_deep'
        ? 'it nests too deep'
        : `at ${visibleUpTo(pointerWithout(problem.pointer, hide), 200)}: ${problem.message}`,
    );
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = given;
  if (typeof name !== 'string') throw new Error('it has no name');
  if (description !== undefined && typeof description !== 'string') throw new Error('its description is no text');
  if (!isJsonObject(inputSchema) || !isOfObject(inputSchema))
    throw new Error('its input schema is not that of an object');
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
  if (JSON.stringify(shown).length > MAX_SHOWN_SCHEMA) throw new Error('its references lead to too much');
  argumentsChecker(shown);
  return {
    name,
    description: visibleUpTo(hide(description ?? (typeof title === 'string' ? title : '')), MAX_DESCRIPTION),
    inputSchema: shown,
    digest: `sha256:${createHash('sha256').update(canonicalJson(said)).digest('hex')}`,
  };
}

/** A pointer whose names are without secrets, which its escapes would hide. */
function pointerWithout(pointer: string, hide: HideSecrets): string {
  return hide(pointer.split('/').map(unescapePointer)).map(escapePointer).join('/');
}

/** Arguments are an object, so the schema is of one where it says nothing else. */
function isOfObject({ type = null }: JsonObject): boolean {
  return type === null || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** Prose is made visible; where anything else has hidden characters, the schema means something that nobody sees. */
function shownSchema(value: Json, depth: number, path: number, isProse: boolean): Json {
  if (depth > DEEPEST) throw new Error('its input schema nests too deep');
  if (path > MAX_PATH) throw new Error(`its input schema has names of more than ${MAX_PATH} characters together`);
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
