import type { Json, JsonObject } from '@countersign/core/plugin';
import { findInputProblem, isJsonObject, parseInexactAsText } from '@countersign/model';
import { toSingleLine, escapeHiddenCharacters, escapeAndTruncate } from './escape-hidden-characters.js';

/** Maximum length of the combined texts of a result, and of its structured content as JSON, in characters. */
const MAX_TEXT_LENGTH = 1_048_576;
const MAX_BLOCKS = 1_000;
const MAX_LINKS = 100;

/** The result of a call in a form that can be recorded and shown. */
export interface McpResult {
  readonly content: Json;
  readonly isError: boolean;
}

/**
 * Reads the result of `tools/call` (MCP 2025-06-18, "Tool Result"). Text, text resources and resource links are
 * kept. All other blocks, and those beyond a limit, are omitted and listed in `leftOut`.
 */
export function readCallResult(result: JsonObject): McpResult {
  const blocks = Array.isArray(result['content']) ? result['content'] : [];
  const collected: CollectedBlocks = { texts: [], links: [], omitted: [] };
  for (const block of blocks.slice(0, MAX_BLOCKS)) collectBlock(isJsonObject(block) ? block : {}, collected);
  if (blocks.length > MAX_BLOCKS) collected.omitted.push(`further blocks: ${blocks.length - MAX_BLOCKS}`);
  const text = escapeAndTruncate(collected.texts.join('\n'), MAX_TEXT_LENGTH);
  const data = readStructuredContent(result['structuredContent'], collected);
  const { links, omitted } = collected;
  const isError = result['isError'] === true;
  if (data === undefined && links.length === 0 && omitted.length === 0) return { content: text, isError };
  return {
    content: {
      // Servers repeat structured data as text for clients that support only text.
      ...(text === '' || (data !== undefined && repeatsData(text, data)) ? {} : { text }),
      ...(data === undefined ? {} : { data }),
      ...(links.length === 0 ? {} : { links }),
      ...(omitted.length === 0 ? {} : { leftOut: omitted }),
    },
    isError,
  };
}

interface CollectedBlocks {
  readonly texts: string[];
  readonly links: JsonObject[];
  readonly omitted: string[];
}

function collectBlock(block: JsonObject, { texts, links, omitted }: CollectedBlocks): void {
  const { type, text, data, resource, uri, name, mimeType } = block;
  if (type === 'text' && typeof text === 'string') texts.push(text);
  else if (type === 'resource_link' && links.length < MAX_LINKS)
    links.push({ uri: toShortLine(uri), name: toShortLine(name), mimeType: toShortLine(mimeType) });
  else if (type === 'resource' && isJsonObject(resource) && typeof resource['text'] === 'string')
    texts.push(`${toShortLine(resource['uri'])}:\n${resource['text']}`);
  else if (type === 'resource' && isJsonObject(resource))
    omitted.push(`resource ${toShortLine(resource['uri'])} (${toShortLine(resource['mimeType'])})`);
  else
    omitted.push(
      `${toShortLine(type) || 'block without a type'} (${toShortLine(mimeType)}${typeof data === 'string' ? `, ${data.length} characters of base64` : ''})`,
    );
}

function readStructuredContent(value: Json | undefined, { omitted }: CollectedBlocks): Json | undefined {
  if (value === undefined || value === null) return undefined;
  const problem = findInputProblem(value);
  if (problem !== undefined) omitted.push(`structured content that cannot be stored: ${problem.code}`);
  else if (JSON.stringify(value).length > MAX_TEXT_LENGTH)
    omitted.push(`structured content of more than ${MAX_TEXT_LENGTH} characters`);
  else return escapeStrings(value);
  return undefined;
}

function escapeStrings(value: Json): Json {
  if (typeof value === 'string') return escapeHiddenCharacters(value);
  if (Array.isArray(value)) return value.map(escapeStrings);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [escapeHiddenCharacters(key), escapeStrings(item)]))
    : value;
}

/** Returns whether a text repeats the data. In the data, numbers that a double cannot represent exactly are strings. */
function repeatsData(text: string, data: Json): boolean {
  try {
    return JSON.stringify(parseInexactAsText(text)) === JSON.stringify(data);
  } catch {
    return false;
  }
}

function toShortLine(value: Json | undefined): string {
  return typeof value === 'string' ? toSingleLine(value, 500) : '';
}
