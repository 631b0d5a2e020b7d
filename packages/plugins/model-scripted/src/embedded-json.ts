import type { Json, JsonObject } from '@countersign/core/plugin';
import { endOfJson, isJsonObject, parseExactJson } from '@countersign/model';

/** More beginnings than these are looked at by no script: the search must end, whatever the text. */
const MAX_BEGINNINGS = 200;

export function parsedOr(text: string, otherwise: () => Json): Json {
  try {
    return parseExactJson(text) as Json;
  } catch {
    return otherwise();
  }
}

/**
 * What stands in the first block that is marked as data, as the agent runtime marks what it shows models:
 * `<data source="…">`, lines, `</data>`. Data can't end its own mark.
 */
export function dataOf(text: string, source = '[^"]*'): string | undefined {
  return new RegExp(`<data source="${source}">\\n([^]*?)\\n</data>`).exec(text)?.[1];
}

/** The first JSON object that stands in a text. */
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
