import type { Json, JsonObject } from '@countersign/core/plugin';
import { findInputProblem, isJsonObject, parseInexactAsText } from '@countersign/model';
import { oneLine, visible, visibleUpTo } from './visible-text.js';

/** Maximum length of all texts of a result together, in characters. */
const MAX_TEXT = 1_048_576;
const MAX_BLOCKS = 1_000;
const MAX_LINKS = 100;

/** The result of a call in a form that can be recorded and shown. */
export interface McpResult {
  readonly content: Json;
  readonly isError: boolean;
}

/**
 * Reads the result of `tools/call` (MCP 2025-06-18, "Tool Result"). Blocks that are neither text nor data are listed
 * and left out.
 */
export function readCallResult(given: JsonObject): McpResult {
  const blocks = Array.isArray(given['content']) ? given['content'] : [];
  const collected: Collected = { texts: [], links: [], leftOut: [] };
  for (const block of blocks.slice(0, MAX_BLOCKS)) collect(isJsonObject(block) ? block : {}, collected);
  if (blocks.length > MAX_BLOCKS) collected.leftOut.push(`${blocks.length - MAX_BLOCKS} more blocks`);
  const text = visibleUpTo(collected.texts.join('\n'), MAX_TEXT);
  const data = structured(given['structuredContent'], collected);
  const { links, leftOut } = collected;
  const isError = given['isError'] === true;
  if (data === undefined && links.length === 0 && leftOut.length === 0) return { content: text, isError };
  return {
    content: {
      // Servers repeat structured data as text for clients that support only text.
      ...(text === '' || (data !== undefined && isSame(text, data)) ? {} : { text }),
      ...(data === undefined ? {} : { data }),
      ...(links.length === 0 ? {} : { links }),
      ...(leftOut.length === 0 ? {} : { leftOut }),
    },
    isError,
  };
}

interface Collected {
  readonly texts: string[];
  readonly links: JsonObject[];
  readonly leftOut: string[];
}

function collect(block: JsonObject, { texts, links, leftOut }: Collected): void {
  const { type, text, data, resource, uri, name, mimeType } = block;
  if (type === 'text' && typeof text === 'string') texts.push(text);
  else if (type === 'resource_link' && links.length < MAX_LINKS)
    links.push({ uri: said(uri), name: said(name), mimeType: said(mimeType) });
  else if (type === 'resource' && isJsonObject(resource) && typeof resource['text'] === 'string')
    texts.push(`${said(resource['uri'])}:\n${resource['text']}`);
  else if (type === 'resource' && isJsonObject(resource))
    leftOut.push(`resource ${said(resource['uri'])} (${said(resource['mimeType'])})`);
  else
    leftOut.push(
      `${said(type) || 'something'} (${said(mimeType)}${typeof data === 'string' ? `, ${data.length} characters of base64` : ''})`,
    );
}

function structured(given: Json | undefined, { leftOut }: Collected): Json | undefined {
  if (given === undefined || given === null) return undefined;
  const problem = findInputProblem(given);
  if (problem !== undefined) leftOut.push(`structured content that cannot be stored: ${problem.code}`);
  else if (JSON.stringify(given).length > MAX_TEXT)
    leftOut.push(`structured content of more than ${MAX_TEXT} characters`);
  else return shown(given);
  return undefined;
}

function shown(value: Json): Json {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(shown);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [visible(key), shown(item)]))
    : value;
}

/** Returns whether a text repeats the data. In the data, numbers that are not exact are strings. */
function isSame(text: string, data: Json): boolean {
  try {
    return JSON.stringify(parseInexactAsText(text)) === JSON.stringify(data);
  } catch {
    return false;
  }
}

function said(value: Json | undefined): string {
  return typeof value === 'string' ? oneLine(value, 500) : '';
}
