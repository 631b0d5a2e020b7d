import type { Question } from '@countersign/contract';

/** How a question is answered: by one of its options, by a text, or by what fits its schema. */
export type AnswerKind = 'options' | 'text' | 'json';

export function answerKind({ options, answerSchema }: Pick<Question, 'options' | 'answerSchema'>): AnswerKind {
  if (options !== null) return 'options';
  return answerSchema === null || isAnyText(answerSchema) ? 'text' : 'json';
}

/** Whether a schema asks for no more than that it is a text. */
function isAnyText(schema: object): boolean {
  return (
    'type' in schema &&
    schema.type === 'string' &&
    Object.keys(schema).every((name) => ['type', 'title', 'description', '$schema'].includes(name))
  );
}
