import { Validator, type Schema } from '@cfworker/json-schema';
import type { AgentTool, Json, JsonObject } from '@countersign/core/plugin';
import { findJsonProblem, isJsonObject } from '@countersign/model';
import { toCheckableSchema } from './to-checkable-schema.js';

/** Maximum size of the arguments of one call as JSON, in characters. */
const MAX_CHARACTERS = 262_144;
const MAX_PROBLEMS = 10;
/** Keywords that only report that a nested value is invalid; the error of the nested value is more specific. */
const WRAPPER_KEYWORDS: ReadonlySet<string> = new Set(['properties', 'items', 'prefixItems', 'allOf']);

/**
 * Returns a function that validates the arguments of calls against the schema of a tool, before the policy, a person or
 * the server sees them. The arguments are sent unchanged: the server fills in defaults.
 *
 * @throws {Error} if the schema is not usable
 */
export function createArgumentsValidator(inputSchema: JsonObject): AgentTool['parseArguments'] {
  const validator = new Validator(toCheckableSchema(inputSchema) as Schema, '2020-12', false);
  return (args) => {
    if (!isJsonObject(args)) return { problems: ['Expected an object.'] };
    const problem = findJsonProblem(args);
    if (problem !== undefined) return { problems: [`At ${problem.pointer}: ${problem.message}`] };
    if (JSON.stringify(args).length > MAX_CHARACTERS)
      return { problems: [`The arguments are longer than ${MAX_CHARACTERS} characters.`] };
    return findProblems(validator, args) ?? { arguments: args };
  };
}

function findProblems(validator: Validator, args: Json): { readonly problems: readonly string[] } | undefined {
  try {
    const { valid, errors } = validator.validate(args);
    if (valid) return undefined;
    const leafErrors = errors.filter(({ keyword }) => !WRAPPER_KEYWORDS.has(keyword));
    return {
      problems: (leafErrors.length === 0 ? errors : leafErrors)
        .slice(0, MAX_PROBLEMS)
        .map(({ instanceLocation, error }) => `At ${toPointer(instanceLocation)}: ${error.slice(0, 300)}`),
    };
  } catch {
    return { problems: ['The schema of the tool cannot be used to check the arguments.'] };
  }
}

/** Converts the validator's URI fragment (RFC 6901, 6) to a plain pointer. */
function toPointer(fragment: string): string {
  return decodeURIComponent(fragment.replace(/^#/, '')) || '/';
}
