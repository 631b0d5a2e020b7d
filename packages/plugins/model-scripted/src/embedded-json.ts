import type { Json, JsonObject } from '@countersign/core/plugin';
import { endOfJson, isJsonObject, parseExactJson } from '@countersign/model';

/** Maximum number of starting positions tried, so that the search ends for any text. */
const MAX_BEGINNINGS = 200;

export function parsedOr(text: string, otherwise: () => Json): Json {
  try {
    return parseExactJson(text) as Json;
  } catch {
    return otherwise();
  }
}

/**
 * Returns the content of the first block marked as data in the format of the agent runtime: `<data source="…">`, lines,
 * `</data>`. Data cannot contain its own end mark.
 */
export function dataOf(text: string, source = '[^"]*'): string | undefined {
  return new RegExp(`<data source="${source}">\\n([^]*?)\\n</data>`).exec(text)?.[1];
}

/** Returns the first JSON object in a text. */
export function embeddedObject(text: string): JsonObject | undefined {
  let from = text.indexOf('{');
  for (let beginnings = 0; from >= 0 && beginnings < MAX_BEGINNINGS; beginnings += 1) {
    const end = endOfJson(text, from);
    const value = end === undefined ? null : parsedOr(text.slice(from, end), () => null);
    if (isJsonObject(value)) return value;
    from = text.indexOf('{', from + 1);
  }
  return undefined;
}
