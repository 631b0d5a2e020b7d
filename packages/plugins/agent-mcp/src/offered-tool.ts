import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@countersign/core/plugin';
import { canonicalJson, escapePointer, findJsonProblem, isJsonObject, unescapePointer } from '@countersign/model';
import { createArgumentsValidator } from './create-arguments-validator.js';
import type { RedactSecrets } from './server-redactor.js';
import { toModelSchema } from './to-model-schema.js';
import { hasHiddenCharacters, escapeAndTruncate } from './escape-hidden-characters.js';

const MAX_DESCRIPTION_LENGTH = 4_000;
const MAX_SCHEMA_LENGTH = 65_536;
/** Maximum size after references are rewritten, in characters. */
const MAX_EXPANDED_SCHEMA_LENGTH = 131_072;
const MAX_DEFINITION_LENGTH = 262_144;
const MAX_DEPTH = 32;
/**
 * Maximum total length of the names on the path to a part of a schema, in characters: V8 hashes keys of more than
 * 16,383 characters by their length only.
 */
const MAX_PATH_LENGTH = 1_500;
const MAX_PROSE_LENGTH = 1_000;

/** Keywords whose texts are for people and models, and do not validate. */
const PROSE_KEYWORDS: ReadonlySet<string> = new Set(['description', 'title', '$comment']);

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
 * @param redact removes secrets; the digest covers the original text, so that it does not depend on which secrets are
 *   known
 * @throws {Error} with the reason, if the tool cannot be shown or called
 */
export function readOfferedTool(rawTool: JsonObject, redact: RedactSecrets = (tool) => tool): OfferedTool {
  // `JSON.parse` keeps a member "__proto__", so the tool is checked before anything is copied.
  const problem = findJsonProblem(rawTool);
  if (problem !== undefined)
    throw new Error(
      problem.code === 'too_deep'
        ? 'it is nested too deeply'
        : `at ${escapeAndTruncate(redactPointer(problem.pointer, redact), 200)}: ${problem.message}`,
    );
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = rawTool;
  if (typeof name !== 'string') throw new Error('it has no name');
  if (description !== undefined && typeof description !== 'string') throw new Error('its description is not a string');
  if (!isJsonObject(inputSchema) || !acceptsObjects(inputSchema))
    throw new Error('its input schema does not describe an object');
  if (isJsonObject(execution) && execution['taskSupport'] === 'required')
    throw new Error('it can only be called as a task, which is not supported');
  const definition = Object.fromEntries(
    Object.entries({ name, title, description, inputSchema, outputSchema, annotations }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as JsonObject;
  if (JSON.stringify(inputSchema).length > MAX_SCHEMA_LENGTH)
    throw new Error(`its input schema is larger than ${MAX_SCHEMA_LENGTH} characters`);
  if (JSON.stringify(definition).length > MAX_DEFINITION_LENGTH)
    throw new Error(`it is larger than ${MAX_DEFINITION_LENGTH} characters`);
  const sanitizedSchema = {
    ...toModelSchema(sanitizeSchema(redact(inputSchema), 0, 0, false) as JsonObject),
    type: 'object',
  };
  if (JSON.stringify(sanitizedSchema).length > MAX_EXPANDED_SCHEMA_LENGTH)
    throw new Error('its schema is too large with its references expanded');
  createArgumentsValidator(sanitizedSchema);
  return {
    name,
    description: escapeAndTruncate(
      redact(description ?? (typeof title === 'string' ? title : '')),
      MAX_DESCRIPTION_LENGTH,
    ),
    inputSchema: sanitizedSchema,
    digest: `sha256:${createHash('sha256').update(canonicalJson(definition)).digest('hex')}`,
  };
}

/** Redacts secrets in a pointer after unescaping its names, because an escaped secret may not be found. */
function redactPointer(pointer: string, redact: RedactSecrets): string {
  return redact(pointer.split('/').map(unescapePointer)).map(escapePointer).join('/');
}

/** Returns whether a schema accepts objects. Arguments are an object, so a schema without a type does. */
function acceptsObjects({ type = null }: JsonObject): boolean {
  return type === null || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/**
 * Escapes hidden characters in prose and refuses them elsewhere, because a reviewer could not see what the schema
 * means.
 */
function sanitizeSchema(value: Json, depth: number, pathLength: number, isProse: boolean): Json {
  if (depth > MAX_DEPTH) throw new Error('its input schema is nested too deeply');
  if (pathLength > MAX_PATH_LENGTH)
    throw new Error(`its input schema has nested names of more than ${MAX_PATH_LENGTH} characters in total`);
  if (typeof value === 'string') {
    if (isProse) return escapeAndTruncate(value, MAX_PROSE_LENGTH);
    if (hasHiddenCharacters(value)) throw new Error('its input schema has hidden characters');
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => sanitizeSchema(item, depth + 1, pathLength, false));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (hasHiddenCharacters(key)) throw new Error('its input schema has names with hidden characters');
      return [
        key,
        sanitizeSchema(item, depth + 1, pathLength + key.length, PROSE_KEYWORDS.has(key) && typeof item === 'string'),
      ];
    }),
  );
}
