import { ConnectionError, type TokenProvider } from '@countersign/contract';
import {
  InexactNumberError,
  parseLosslessJson,
  verifyEvidencePackAsync,
  type AsyncEvidenceCheck,
} from '@countersign/contract/evidence';
import { requestEvidence } from '../actions/download-evidence.js';
import { readEvidenceContents, type EvidenceContents } from './read-evidence-contents.js';
import { verifyEd25519 } from './verify-ed25519.js';

/**
 * The evidence of a run. `too_large`: it was not loaded to its end, and `bytes` is its size if the server stated it.
 * `unreadable`: it is not JSON with numbers that can be read exactly.
 */
export type LoadedEvidence =
  | { readonly kind: 'checked'; readonly check: AsyncEvidenceCheck; readonly contents: EvidenceContents }
  | { readonly kind: 'too_large'; readonly bytes: number | undefined }
  | { readonly kind: 'unreadable' };

export interface LoadOptions {
  readonly signal: AbortSignal;
  /** A larger pack is not checked. */
  readonly maxBytes: number;
  /** Called with the number of bytes received so far. */
  onProgress(receivedBytes: number): void;
}

/**
 * Loads the evidence pack of a run and checks it in this browser.
 *
 * @throws {ProblemError} if the server refuses the request
 * @throws {ConnectionError} if the response is incomplete
 */
export async function loadEvidence(runId: string, token: TokenProvider, options: LoadOptions): Promise<LoadedEvidence> {
  const { response, body } = await requestEvidence(runId, token, options.signal);
  const size = readSize(response.headers);
  const chunks = (size ?? 0) > options.maxBytes ? undefined : await readChunks(body, options);
  if (chunks !== undefined) return checkEvidence(runId, await new Blob(chunks).text());
  await body.cancel();
  return { kind: 'too_large', bytes: size };
}

/** Checks the text of the pack of a run. */
async function checkEvidence(runId: string, text: string): Promise<LoadedEvidence> {
  let pack: unknown;
  try {
    pack = parseLosslessJson(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof InexactNumberError) return { kind: 'unreadable' };
    throw error;
  }
  return {
    kind: 'checked',
    check: await verifyEvidencePackAsync(pack, verifyEd25519, runId),
    contents: readEvidenceContents(pack),
  };
}

/** Returns `undefined` if there is more than the maximum. */
async function readChunks(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { signal, maxBytes, onProgress }: LoadOptions,
): Promise<Uint8Array<ArrayBuffer>[] | undefined> {
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let receivedBytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw signal.aborted ? cause : new ConnectionError(cause);
    });
    if (done) return chunks;
    chunks.push(value);
    receivedBytes += value.byteLength;
    onProgress(receivedBytes);
    if (receivedBytes > maxBytes) {
      reader.releaseLock();
      return undefined;
    }
  }
}

/** Returns the size of the pack; `undefined` if the server did not state it, or only that of a compressed response. */
function readSize(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}
