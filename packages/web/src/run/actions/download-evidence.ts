import { readProblemError, sendWithToken, type TokenProvider } from '@countersign/contract';
import { BASE_URL } from '@countersign/inbox-ui/app/base-url';

/**
 * Downloads the evidence pack and saves it as a file. A plain link could not send the bearer token.
 *
 * @param onProgress called with the number of bytes received so far
 * @throws {ProblemError} if the server refuses the request
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
  // By then the download has started and no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
