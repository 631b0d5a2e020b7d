import { findJsonProblem, type Json } from '@countersign/core/plugin';

/** A text without what can't be kept: NUL characters and halves of surrogate pairs. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Arguments as the model gave them; what is no JSON, or none that can be kept, as its text. */
export function argumentsOf(text: string): Json {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as Json;
    if (findJsonProblem(value) === undefined) return value;
  } catch {
    // It is given as the text that it is.
  }
  return storableText(text);
}
