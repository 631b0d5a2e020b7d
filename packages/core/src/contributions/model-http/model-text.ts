import { findJsonProblem, type Json, parseExactJson } from '@countersign/model';

/** A text of a model without what can't be kept: NUL characters and halves of surrogate pairs. */
export function modelText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Stands for an answer in which the model said nothing: APIs take back no message without anything in it, and want one in turn. */
export const NO_ANSWER = '(no answer)';

/**
 * Arguments of a call as the model gave them; as text if they are not JSON that can be stored. Nothing, `null` and an empty text
 * are none; JSON that was written into a text is that JSON.
 */
export function modelArguments(text: string): Json {
  if (text.trim() === '') return {};
  try {
    const value = parseExactJson(text) as Json;
    if (value === null) return {};
    if (typeof value === 'string' && /^\s*($|null\s*$|\{)/.test(value)) return modelArguments(value);
    if (findJsonProblem(value) === undefined) return value;
  } catch {
    // It is given as the text that it is.
  }
  return modelText(text);
}

const LONGEST_NAME = 64;

/** A name that no tool can have is of no tool, but goes back to the API with the next turn, which would refuse it. */
export function modelToolName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST_NAME);
}
