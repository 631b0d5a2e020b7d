import { ConnectionError, readProblemError, sendWithToken, type TokenProvider } from '@countersign/contract';
import { BASE_URL } from '@countersign/inbox-ui/app/base-url';

/**
 * Requests the evidence pack. A plain link could not send the bearer token.
 *
 * @throws {ProblemError} if the server refuses the request
 * @throws {ConnectionError} if there is no response
 */
export async function requestEvidence(
  runId: string,
  token: TokenProvider,
  signal?: AbortSignal,
): Promise<{ readonly response: Response; readonly body: ReadableStream<Uint8Array<ArrayBuffer>> }> {
  const response = await sendWithToken(token, async (bearer) => {
    const evidenceResponse = await fetch(`${BASE_URL}/api/runs/${encodeURIComponent(runId)}/evidence-pack/download`, {
      headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
      signal: signal ?? null,
    }).catch((cause: unknown) => {
      throw signal?.aborted === true ? cause : new ConnectionError(cause);
    });
    if (!evidenceResponse.ok) throw await readProblemError(evidenceResponse);
    return evidenceResponse;
  });
  if (response.body === null) throw await readProblemError(response);
  return { response, body: response.body };
}

/**
 * Downloads the evidence pack and saves it as a file.
 *
 * @param onProgress called with the number of bytes received so far
 * @throws {ProblemError} if the server refuses the request
 */
export async function downloadEvidence(
  runId: string,
  token: TokenProvider,
  onProgress: (receivedBytes: number) => void,
): Promise<void> {
  const { response, body } = await requestEvidence(runId, token);
  let receivedBytes = 0;
  const countedBody = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        receivedBytes += chunk.byteLength;
        onProgress(receivedBytes);
        controller.enqueue(chunk);
      },
    }),
  );
  saveBlob(await new Response(countedBody).blob(), getFileName(response) ?? `evidence-${runId}.json`);
}

function getFileName(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
}

function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the download has started and no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
