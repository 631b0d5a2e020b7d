import type { Json, JsonObject } from '@countersign/core/plugin';
import { findJsonEnd, isJsonObject, parseExactJson } from '@countersign/model';

/** Maximum number of start positions that are tried, to bound the search time. */
const MAX_START_POSITIONS = 200;

export function parseJsonOr(text: string, fallback: () => Json): Json {
  try {
    return parseExactJson(text) as Json;
  } catch {
    return fallback();
  }
}

/**
 * Returns the content of the first block marked as data in the format of the agent runtime: `<data source="…">`, lines,
 * `</data>`. Data cannot contain its own end mark.
 */
export function findDataBlock(text: string, source = '[^"]*'): string | undefined {
  return new RegExp(`<data source="${source}">\\n([^]*?)\\n</data>`).exec(text)?.[1];
}

/** Returns the first JSON object in a text. */
export function findEmbeddedObject(text: string): JsonObject | undefined {
  let from = text.indexOf('{');
  for (let tries = 0; from >= 0 && tries < MAX_START_POSITIONS; tries += 1) {
    const end = findJsonEnd(text, from);
    const value = end === undefined ? null : parseJsonOr(text.slice(from, end), () => null);
    if (isJsonObject(value)) return value;
    from = text.indexOf('{', from + 1);
  }
  return undefined;
}
