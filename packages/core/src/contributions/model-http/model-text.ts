import { findJsonProblem, type Json, parseExactJson } from '@countersign/model';

/** Removes characters that cannot be stored from the output of a language model: NUL characters and lone surrogates. */
export function sanitizeModelText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Placeholder for an empty response: APIs do not accept empty messages but require alternating turns. */
export const EMPTY_COMPLETION_TEXT = '(no answer)';

/**
 * Parses the arguments of a call. Returns the text as a string if it is not storable JSON. Empty text and `null` mean
 * no arguments. JSON inside a JSON string is parsed, too.
 */
export function parseModelArguments(text: string): Json {
  if (text.trim() === '') return {};
  try {
    const value = parseExactJson(text) as Json;
    if (value === null) return {};
    if (typeof value === 'string' && /^\s*($|null\s*$|\{)/.test(value)) return parseModelArguments(value);
    if (findJsonProblem(value) === undefined) return value;
  } catch {
    // Text that is not JSON is returned as a string.
  }
  return sanitizeModelText(text);
}

const MAX_NAME_CHARACTERS = 64;

/**
 * Makes a tool name valid. An invalid name matches no tool, but it is sent back with the next turn, and the API would
 * refuse it.
 */
export function toProviderToolName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_CHARACTERS);
}
