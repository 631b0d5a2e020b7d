import type { Client, JsonValue } from '@countersign/contract';
import { newIdempotencyKey } from '../api/new-idempotency-key.js';
import { IdempotencyKeyHolder } from '../api/idempotency-key-holder.js';
import { Listeners } from '../ui/listeners.js';
import type { SchemaDraft } from '../ui/schema-form.js';

/** Progress of an answer. */
export interface AnswerProgress {
  readonly phase: 'editing' | 'sending' | 'recorded';
  /** The answer that was sent and is unconfirmed. */
  readonly unconfirmedAnswer: JsonValue | undefined;
  /** Why the last attempt to send the answer failed. */
  readonly error: unknown;
}

/** An answer that is not recorded yet: its text so far, and the result of the last attempt to send it. */
export class AnswerDraft {
  text = '';
  form: SchemaDraft | undefined;
  /** Whether the user has pressed a key in the form since the answer was sent. */
  isTypedOn = false;
  /** Stores the idempotency key, so that sending the same answer again, even from another page, repeats the request. */
  readonly requestKey = new IdempotencyKeyHolder(newIdempotencyKey);

  private progress: AnswerProgress = { phase: 'editing', unconfirmedAnswer: undefined, error: undefined };
  private readonly listeners = new Listeners();
  private viewCount = 0;

  /** Whether the question is displayed, so that the user sees the result. */
  get isDisplayed(): boolean {
    return this.viewCount > 0;
  }

  get hasContent(): boolean {
    return this.text.trim() !== '' || this.form !== undefined;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.viewCount += 1;
    const unsubscribe = this.listeners.subscribe(listener);
    return () => {
      this.viewCount -= 1;
      unsubscribe();
    };
  };

  /** Returns the same object until the progress changes. */
  readonly getProgress = (): AnswerProgress => this.progress;

  setProgress(changes: Partial<AnswerProgress>): void {
    this.progress = { ...this.progress, ...changes };
    this.listeners.notify();
  }
}

/** Drafts of each session, kept so that navigation loses no text. */
const draftsByClient = new WeakMap<Client, Map<string, AnswerDraft>>();

/** Returns the draft answer to a question, shared by all views of the question. */
export function getAnswerDraft(client: Client, questionId: string): AnswerDraft {
  const drafts = draftsByClient.get(client) ?? new Map<string, AnswerDraft>();
  draftsByClient.set(client, drafts);
  const draft = drafts.get(questionId) ?? new AnswerDraft();
  drafts.set(questionId, draft);
  return draft;
}

/** Returns whether the user's answer to a question has been sent and has no response yet. */
export function isSendingAnswer(client: Client, questionId: string): boolean {
  return draftsByClient.get(client)?.get(questionId)?.getProgress().phase === 'sending';
}

/** Deletes the draft. Called once the question is answered, or the user discards the draft. */
export function deleteAnswerDraft(client: Client, questionId: string): void {
  draftsByClient.get(client)?.delete(questionId);
}
