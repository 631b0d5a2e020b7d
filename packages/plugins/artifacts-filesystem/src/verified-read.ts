import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

const CHUNK_BYTES = 65_536;

/** Open file, and how its bytes are verified at the end of the stream. */
export interface OpenedFile {
  readonly handle: FileHandle;
  /** Expected SHA-256 (hex) of all bytes, or a check that is called at the end. */
  readonly verification: { readonly sha256: string } | { readonly isValid: () => Promise<boolean> };
}

/**
 * Stream of the bytes of a file that ends normally only if the bytes are verified: the last chunk is held back until
 * then. A reader that reaches the end has received the right bytes, even if the file is edited in place in the
 * meantime.
 *
 * The file is opened on the first read, and closed at the end or when the stream is destroyed: an unread stream holds
 * no open file. (From Node.js 25 on, a handle left to the garbage collector ends the process.)
 */
export class VerifiedRead extends Readable {
  readonly #open: () => Promise<OpenedFile>;
  readonly #createDamagedError: () => Error;
  readonly #end: number;
  #position: number;
  #file: OpenedFile | undefined;
  #hash: Hash | undefined;
  /** Last chunk that was read; held back until another chunk is read or all bytes are verified. */
  #pendingChunk: Buffer | undefined;
  #reading: Promise<void> = Promise.resolve();

  /** @param range `end` is inclusive */
  constructor(
    open: () => Promise<OpenedFile>,
    range: { start: number; end?: number },
    createDamagedError: () => Error,
  ) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#open = open;
    this.#createDamagedError = createDamagedError;
    this.#position = range.start;
    this.#end = range.end ?? Infinity;
  }

  override _read(): void {
    this.#reading = this.#readNext().catch((error: unknown) => void this.destroy(error as Error));
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // A pending read must finish before the handle is closed.
    void this.#reading
      .then(() => this.#file?.handle.close())
      .then(
        () => callback(error),
        (closeError: unknown) => callback(error ?? (closeError as Error)),
      );
  }

  async #readNext(): Promise<void> {
    this.#file ??= await this.#openFile();
    const previous = this.#pendingChunk;
    const chunk = await this.#readChunk(this.#file.handle);
    if (chunk !== undefined) {
      this.#hash?.update(chunk);
      this.#pendingChunk = chunk;
      if (previous === undefined) return this.#readNext();
      this.push(previous);
      return undefined;
    }
    if (!(await this.#isVerified(this.#file))) throw this.#createDamagedError();
    if (previous !== undefined) this.push(previous);
    this.push(null);
    return undefined;
  }

  async #openFile(): Promise<OpenedFile> {
    const file = await this.#open();
    if ('sha256' in file.verification) this.#hash = createHash('sha256');
    return file;
  }

  async #readChunk(handle: FileHandle): Promise<Buffer | undefined> {
    const length = Math.min(CHUNK_BYTES, this.#end - this.#position + 1);
    if (length <= 0) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, this.#position);
    this.#position += bytesRead;
    return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
  }

  async #isVerified({ verification }: OpenedFile): Promise<boolean> {
    return 'sha256' in verification ? this.#hash?.digest('hex') === verification.sha256 : verification.isValid();
  }
}
