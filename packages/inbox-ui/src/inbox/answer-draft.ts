import type { Client, JsonValue } from '@countersign/contract';
import { newIdempotencyKey } from '../api/new-idempotency-key.js';
import { IdempotencyKeyHolder } from '../api/idempotency-key-holder.js';
import type { SchemaDraft } from '../ui/schema-form.js';

/** An answer that is not given yet: what is written so far, and what became of sending it. */
export interface AnswerDraft {
  text: string;
  form: SchemaDraft | undefined;
  /** Sent, and nobody knows whether it counts. */
  lost: JsonValue | undefined;
  /** Sent again, the same answer is the same request, also from another page. */
  readonly requestKey: IdempotencyKeyHolder;
}

/** For as long as somebody is signed in: looking at something else loses no words. */
const held = new WeakMap<Client, Map<string, AnswerDraft>>();

/** What is written to a question so far, wherever it is shown. */
export function answerDraft(client: Client, questionId: string): AnswerDraft {
  const answers = held.get(client) ?? new Map<string, AnswerDraft>();
  held.set(client, answers);
  const answer = answers.get(questionId) ?? {
    text: '',
    form: undefined,
    lost: undefined,
    requestKey: new IdempotencyKeyHolder(newIdempotencyKey),
  };
  answers.set(questionId, answer);
  return answer;
}

/** Once it is answered. */
export function forgetAnswer(client: Client, questionId: string): void {
  held.get(client)?.delete(questionId);
}
