import type { Client } from '@countersign/contract';
import { IdempotencyKeyHolder } from '../api/idempotency-key-holder.js';
import { newIdempotencyKey } from '../api/new-idempotency-key.js';
import { Listeners } from '../ui/listeners.js';

export interface CommentDraftState {
  readonly text: string;
  readonly isSending: boolean;
  /** Why the last attempt to send the comment failed. */
  readonly error: unknown;
}

const EMPTY: CommentDraftState = Object.freeze({ text: '', isSending: false, error: undefined });

/** A comment that is not recorded yet. */
export class CommentDraft {
  /** Sending the same comment again, even from another page, repeats the request. */
  private readonly requestKey = new IdempotencyKeyHolder(newIdempotencyKey);
  private state = EMPTY;
  private readonly listeners = new Listeners();

  /** Returns the same object until the draft changes. */
  readonly getSnapshot = (): CommentDraftState => this.state;

  readonly subscribe = this.listeners.subscribe;

  setText(text: string): void {
    this.setState({ ...this.state, text });
  }

  /**
   * Sends the comment. If it fails, the text stays, and so does text that the user has changed in the meantime.
   *
   * @param send sends a text with an idempotency key
   * @returns whether the comment was recorded
   */
  async send(send: (text: string, idempotencyKey: string) => Promise<void>): Promise<boolean> {
    const { text, isSending } = this.state;
    if (isSending || text.trim() === '') return false;
    this.setState({ ...this.state, isSending: true, error: undefined });
    try {
      await send(text.trim(), this.requestKey.getKey(text.trim()));
    } catch (error) {
      this.requestKey.onRequestEnded(error);
      this.setState({ ...this.state, isSending: false, error });
      return false;
    }
    this.requestKey.onRequestEnded();
    this.setState(this.state.text === text ? EMPTY : { ...this.state, isSending: false });
    return true;
  }

  private setState(state: CommentDraftState): void {
    this.state = state;
    this.listeners.notify();
  }
}

/** Drafts of each session, kept so that navigation loses no text. */
const draftsByClient = new WeakMap<Client, Map<string, CommentDraft>>();

/** @param place the approval, thread or line that the comment is about */
export function getCommentDraft(client: Client, place: string): CommentDraft {
  const drafts = draftsByClient.get(client) ?? new Map<string, CommentDraft>();
  draftsByClient.set(client, drafts);
  const draft = drafts.get(place) ?? new CommentDraft();
  drafts.set(place, draft);
  return draft;
}
