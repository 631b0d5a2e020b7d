import { outcomeOfError } from '@countersign/contract';

/**
 * The idempotency key of what a form sends: the same content has the same key until it is answered, so that what is sent
 * again after an answer was lost is done once. After an answer, the same content is another request.
 */
export class IdempotencyKeyHolder {
  #held: { readonly content: string; readonly key: string } | undefined;

  /** @param create makes a new key. */
  constructor(private readonly create: () => string) {}

  of(body: unknown): string {
    const content = JSON.stringify(body);
    if (this.#held?.content !== content) this.#held = { content, key: this.create() };
    return this.#held.key;
  }

  /** To be told how each request ended. @param error left out: it was done. */
  ended(error?: unknown): void {
    if (error === undefined || outcomeOfError(error) === 'refused') this.#held = undefined;
  }
}
