import type { Client, JsonValue } from '@countersign/contract';
import { newIdempotencyKey } from '../api/new-idempotency-key.js';
import { IdempotencyKeyHolder } from '../api/idempotency-key-holder.js';
import type { SchemaDraft } from '../ui/schema-form.js';

/** An unsent answer: the text so far and the result of the last attempt to send it. */
export interface AnswerDraft {
  text: string;
  form: SchemaDraft | undefined;
  /** The answer that was sent and is unconfirmed. */
  unconfirmedAnswer: JsonValue | undefined;
  /** Stores the idempotency key, so that sending the same answer again, even from another page, repeats the request. */
  readonly requestKey: IdempotencyKeyHolder;
}

/** Drafts of each session, kept so that navigation loses no text. */
const draftsByClient = new WeakMap<Client, Map<string, AnswerDraft>>();

/** Returns the draft answer to a question, shared by all views of the question. */
export function getAnswerDraft(client: Client, questionId: string): AnswerDraft {
  const drafts = draftsByClient.get(client) ?? new Map<string, AnswerDraft>();
  draftsByClient.set(client, drafts);
  const draft = drafts.get(questionId) ?? {
    text: '',
    form: undefined,
    unconfirmedAnswer: undefined,
    requestKey: new IdempotencyKeyHolder(newIdempotencyKey),
  };
  drafts.set(questionId, draft);
  return draft;
}

/** Deletes the draft. Called once the question is answered. */
export function deleteAnswerDraft(client: Client, questionId: string): void {
  draftsByClient.get(client)?.delete(questionId);
}
