import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream';

/**
 * Bytes of a file that end only where they were verified: the last ones are held back until then, so that whoever reads
 * to the end has the right bytes, also of a file that is edited in place while it is read.
 *
 * @param handle is closed with the stream
 * @param range `end` included
 * @param holds is given the SHA-256 (hex) of the bytes that were read; the stream fails where it says no
 */
export function verifiedRead(
  handle: FileHandle,
  range: { start: number; end?: number },
  holds: Verification,
  damaged: () => Error,
): Readable {
  const content = new VerifiedContent(holds, damaged);
  // An error reaches whoever reads the content.
  pipeline(handle.createReadStream({ ...range, autoClose: false }), content, () => void handle.close());
  return content;
}

type Verification = (sha256: string) => boolean | Promise<boolean>;

class VerifiedContent extends Transform {
  readonly #hash = createHash('sha256');
  readonly #holds: Verification;
  readonly #damaged: () => Error;
  #last: Buffer | undefined;

  constructor(holds: Verification, damaged: () => Error) {
    super();
    this.#holds = holds;
    this.#damaged = damaged;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#hash.update(chunk);
    const previous = this.#last;
    this.#last = chunk;
    callback(null, previous);
  }

  override _flush(callback: TransformCallback): void {
    this.#verify().then(() => callback(null, this.#last), callback);
  }

  async #verify(): Promise<void> {
    if (!(await this.#holds(this.#hash.digest('hex')))) throw this.#damaged();
  }
}
