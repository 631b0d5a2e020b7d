import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream';

/**
 * Bytes of a file that end only where they were verified: the last ones are held back until then, so that whoever reads
 * to the end has the right bytes, also of a file that is edited in place while it is read.
 *
 * @param handle is closed with the stream
 * @param range `end` included
 * @param verification of all bytes by their SHA-256 (hex), or by a look at the end; the stream fails where it says no
 */
export function verifiedRead(
  handle: FileHandle,
  range: { start: number; end?: number },
  verification: Verification,
  damaged: () => Error,
): Readable {
  const content = new VerifiedContent(verification, damaged);
  // An error reaches whoever reads the content.
  pipeline(handle.createReadStream({ ...range, autoClose: false }), content, () => void handle.close());
  return content;
}

type Verification = { readonly sha256: string } | { readonly holds: () => Promise<boolean> };

class VerifiedContent extends Transform {
  readonly #hash: Hash | undefined;
  readonly #verification: Verification;
  readonly #damaged: () => Error;
  #last: Buffer | undefined;

  constructor(verification: Verification, damaged: () => Error) {
    super();
    this.#hash = 'sha256' in verification ? createHash('sha256') : undefined;
    this.#verification = verification;
    this.#damaged = damaged;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#hash?.update(chunk);
    const previous = this.#last;
    this.#last = chunk;
    callback(null, previous);
  }

  override _flush(callback: TransformCallback): void {
    this.#verify().then(() => callback(null, this.#last), callback);
  }

  async #verify(): Promise<void> {
    const holds =
      'sha256' in this.#verification
        ? this.#hash?.digest('hex') === this.#verification.sha256
        : await this.#verification.holds();
    if (!holds) throw this.#damaged();
  }
}
