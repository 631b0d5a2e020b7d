import type { Question } from '@countersign/contract';

/** Kind of answer: one of the options, a text, or a JSON value that matches the schema. */
export type AnswerKind = 'options' | 'text' | 'json';

export function getAnswerKind({ options, answerSchema }: Pick<Question, 'options' | 'answerSchema'>): AnswerKind {
  if (options !== null) return 'options';
  return answerSchema === null || acceptsAnyString(answerSchema) ? 'text' : 'json';
}

/** Returns whether a schema accepts every string and nothing else. */
function acceptsAnyString(schema: object): boolean {
  return (
    'type' in schema &&
    schema.type === 'string' &&
    Object.keys(schema).every((name) => ['type', 'title', 'description', '$schema'].includes(name))
  );
}
