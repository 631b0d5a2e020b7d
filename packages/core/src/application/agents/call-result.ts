import type { ToolOutput } from '../../contributions/tool.js';
import { type CallResult, isJsonObject, type Json } from '@countersign/model';
import { sanitizeJson } from './sanitize-json.js';

/** Maximum size of a tool result, in bytes of JSON. */
export const MAX_CONTENT_BYTES = 256_000;
const MAX_MESSAGE_CHARACTERS = 4_000;

/**
 * Converts a tool's output to a recordable result: storable and of bounded size. Truncates a long string and adds a
 * note.
 */
export function toCallResult(tool: string, { content, taint }: ToolOutput): CallResult {
  const sources = [...new Set(taint ?? toolTaint(tool))].sort();
  const sanitizedContent = sanitizeJson(content);
  if (sanitizedContent === undefined)
    return toErrorResult(
      tool,
      'tool_output_invalid',
      'The call was executed, but its result cannot be stored: it is nested too deeply or contains names that are not allowed.',
    );
  const size = getJsonBytes(sanitizedContent);
  if (size <= MAX_CONTENT_BYTES) return { content: sanitizedContent, isError: false, taint: sources };
  const shortenedContent = shortenContent(sanitizedContent, size);
  if (shortenedContent === undefined)
    return toErrorResult(
      tool,
      'tool_output_too_large',
      `The call was executed, but its result has ${size} bytes; at most ${MAX_CONTENT_BYTES} are allowed. Request less data in one call.`,
    );
  return { content: shortenedContent, isError: false, taint: sources };
}

/**
 * Returns the error result that the language model receives for a failed call. The message may come from another
 * system.
 */
export function toErrorResult(tool: string, code: string, message: string): CallResult {
  return {
    content: { error: code, message: sanitizeJson(message.slice(0, MAX_MESSAGE_CHARACTERS)) ?? '' },
    isError: true,
    taint: toolTaint(tool),
  };
}

function toolTaint(tool: string): string[] {
  return [`tool:${tool}`];
}

function getJsonBytes(content: Json): number {
  return Buffer.byteLength(JSON.stringify(content));
}

/** Shortens a string, or the longest string of an object. Returns `undefined` if that is not possible. */
function shortenContent(content: Json, size: number): Json | undefined {
  if (typeof content === 'string') return truncateText(content, size);
  if (!isJsonObject(content)) return undefined;
  const [longestEntry] = Object.entries(content)
    .flatMap(([key, value]): [string, string][] => (typeof value === 'string' ? [[key, value]] : []))
    .sort(([, left], [, right]) => right.length - left.length);
  if (longestEntry === undefined) return undefined;
  const [key, text] = longestEntry;
  const otherBytes = size - getJsonBytes(text);
  const shortenedText = truncateText(text, getJsonBytes(text), otherBytes);
  return shortenedText === undefined ? undefined : { ...content, [key]: shortenedText };
}

function truncateText(text: string, textBytes: number, otherBytes = 0): string | undefined {
  const note = `\n[truncated: ${text.length} characters in total]`;
  const availableBytes = MAX_CONTENT_BYTES - otherBytes - getJsonBytes(note);
  if (availableBytes < 1_000) return undefined;
  let end = Math.floor((text.length * availableBytes) / textBytes);
  // The remaining text may contain longer characters than the removed text.
  while (end > 0 && getJsonBytes(text.slice(0, end)) > availableBytes) end = Math.floor(end * 0.9);
  return `${text.slice(0, end).toWellFormed()}${note}`;
}
