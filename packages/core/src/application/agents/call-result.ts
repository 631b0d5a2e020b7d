import type { ToolOutput } from '../../contributions/tool.js';
import { type CallResult, isJsonObject, type Json } from '@countersign/model';
import { sanitizeJson } from './sanitize-json.js';

/** Maximum size of a tool result, in bytes of JSON. */
export const MAX_CONTENT_BYTES = 256_000;
const MAX_MESSAGE = 4_000;

/**
 * Converts a tool's output to a recordable result: storable and of bounded size. Truncates a long string and adds a
 * note.
 */
export function callResult(tool: string, { content, taint }: ToolOutput): CallResult {
  const sources = [...new Set(taint ?? taintOf(tool))].sort();
  const kept = sanitizeJson(content);
  if (kept === undefined)
    return errorResult(
      tool,
      'tool_output_invalid',
      'The call was executed, but its result cannot be stored: it is nested too deeply or contains names that are not allowed.',
    );
  const size = bytesOf(kept);
  if (size <= MAX_CONTENT_BYTES) return { content: kept, isError: false, taint: sources };
  const cut = shortened(kept, size);
  if (cut === undefined)
    return errorResult(
      tool,
      'tool_output_too_large',
      `The call was executed, but its result has ${size} bytes; at most ${MAX_CONTENT_BYTES} are allowed. Request less data in one call.`,
    );
  return { content: cut, isError: false, taint: sources };
}

/**
 * Returns the error result that the language model receives for a failed call. The message may come from another
 * system.
 */
export function errorResult(tool: string, code: string, message: string): CallResult {
  return {
    content: { error: code, message: sanitizeJson(message.slice(0, MAX_MESSAGE)) ?? '' },
    isError: true,
    taint: taintOf(tool),
  };
}

function taintOf(tool: string): string[] {
  return [`tool:${tool}`];
}

function bytesOf(content: Json): number {
  return Buffer.byteLength(JSON.stringify(content));
}

/** Shortens a string, or the longest string of an object. Returns `undefined` if that is not possible. */
function shortened(content: Json, size: number): Json | undefined {
  if (typeof content === 'string') return cutText(content, size);
  if (!isJsonObject(content)) return undefined;
  const [longest] = Object.entries(content)
    .flatMap(([key, value]): [string, string][] => (typeof value === 'string' ? [[key, value]] : []))
    .sort(([, left], [, right]) => right.length - left.length);
  if (longest === undefined) return undefined;
  const [key, text] = longest;
  const others = size - bytesOf(text);
  const cut = cutText(text, bytesOf(text), others);
  return cut === undefined ? undefined : { ...content, [key]: cut };
}

function cutText(text: string, size: number, others = 0): string | undefined {
  const note = `\n[cut: ${text.length} characters in all]`;
  const room = MAX_CONTENT_BYTES - others - bytesOf(note);
  if (room < 1_000) return undefined;
  let end = Math.floor((text.length * room) / size);
  // The remaining text may contain longer characters than the removed text.
  while (end > 0 && bytesOf(text.slice(0, end)) > room) end = Math.floor(end * 0.9);
  return `${text.slice(0, end).toWellFormed()}${note}`;
}
