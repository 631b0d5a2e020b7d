import { toRequestOutcome } from '@countersign/contract';

/**
 * Stores the idempotency key of a form's request. The same content keeps its key until a response arrives, so a retry
 * after a lost response takes effect once. After a response, the same content is a new request.
 */
export class IdempotencyKeyHolder {
  #current: { readonly content: string; readonly key: string } | undefined;

  /** @param createKey returns a new key */
  constructor(private readonly createKey: () => string) {}

  getKey(body: unknown): string {
    const content = JSON.stringify(body);
    if (this.#current?.content !== content) this.#current = { content, key: this.createKey() };
    return this.#current.key;
  }

  /**
   * Must be called when a request has ended.
   *
   * @param error omitted if the request succeeded
   */
  onRequestEnded(error?: unknown): void {
    if (error === undefined || ['refused', 'executed'].includes(toRequestOutcome(error))) this.#current = undefined;
  }
}
