import { readProblemError, sendWithToken, type TokenProvider } from '@countersign/contract';
import { BASE_URL } from '@countersign/inbox-ui/app/base-url';

/**
 * Downloads the evidence pack and saves it as a file. A link could not send the token.
 *
 * @param onProgress receives the bytes so far
 * @throws {ProblemError} the server refused the request
 */
export async function downloadEvidence(
  runId: string,
  token: TokenProvider,
  onProgress: (receivedBytes: number) => void,
): Promise<void> {
  const response = await sendWithToken(token, async (bearer) => {
    const evidenceResponse = await fetch(`${BASE_URL}/api/runs/${encodeURIComponent(runId)}/evidence-pack/download`, {
      headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    });
    if (!evidenceResponse.ok) throw await readProblemError(evidenceResponse);
    return evidenceResponse;
  });
  if (response.body === null) throw await readProblemError(response);
  let receivedBytes = 0;
  const countedBody = response.body.pipeThrough(
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
  // The download has started by then and holds the blob itself.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
