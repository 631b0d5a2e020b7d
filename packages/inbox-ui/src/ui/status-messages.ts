import { Listeners } from './listeners.js';

export interface StatusMessage {
  readonly text: string;
  /** Distinguishes messages with the same text. */
  readonly id: number;
}

/**
 * The last success message, such as “counted”. There is only one at a time: a newer message replaces it, so that many
 * successes in a row do not cover the page. Errors are notifications, which stay.
 */
export class StatusMessages {
  private readonly listeners = new Listeners();
  private message: StatusMessage | undefined;
  private count = 0;

  /** Returns the displayed message. */
  readonly getCurrent = (): StatusMessage | undefined => this.message;

  readonly subscribe = this.listeners.subscribe;

  show(text: string): void {
    this.count += 1;
    this.message = { text, id: this.count };
    this.listeners.notify();
  }

  /** Removes a message, unless a newer one has replaced it. */
  hide({ id }: Pick<StatusMessage, 'id'>): void {
    if (this.message?.id !== id) return;
    this.message = undefined;
    this.listeners.notify();
  }
}

/** The messages of this window. `StatusLine` displays them. */
export const statusMessages = new StatusMessages();
