import type { JsonValue, Question } from '@countersign/contract';

/** How a question is answered: one of its options, a text, or what fits its schema. */
export type AnswerKind = 'options' | 'text' | 'json';

export function answerKind({ options, answerSchema }: Pick<Question, 'options' | 'answerSchema'>): AnswerKind {
  if (options !== null) return 'options';
  return answerSchema === null || answerSchema['type'] === 'string' ? 'text' : 'json';
}

/** The answer that was written; `undefined` where it is none. */
export function answerOf(kind: AnswerKind, text: string): JsonValue | undefined {
  if (kind !== 'json') return text.trim() === '' ? undefined : text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
