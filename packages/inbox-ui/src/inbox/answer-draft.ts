import type { Client, JsonValue } from '@countersign/contract';
import { newIdempotencyKey } from '../api/new-idempotency-key.js';
import { IdempotencyKeyHolder } from '../api/idempotency-key-holder.js';
import type { SchemaDraft } from '../ui/schema-form.js';

/** An unsent answer: the text so far and the result of the last attempt to send it. */
export interface AnswerDraft {
  text: string;
  form: SchemaDraft | undefined;
  /** The answer that was sent and is unconfirmed. */
  lost: JsonValue | undefined;
  /** Resending the same answer is the same request, also from another page. */
  readonly requestKey: IdempotencyKeyHolder;
}

/** Kept for the session, so that navigation loses no text. */
const held = new WeakMap<Client, Map<string, AnswerDraft>>();

/** Returns the draft answer to a question, shared by all places that show the question. */
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

/** Deletes the draft. Called once the question is answered. */
export function forgetAnswer(client: Client, questionId: string): void {
  held.get(client)?.delete(questionId);
}
