import { problemOf, sendByToken, type TokenProvider } from '@countersign/contract';
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
  onProgress: (bytes: number) => void,
): Promise<void> {
  const response = await sendByToken(token, async (bearer) => {
    const answer = await fetch(`${BASE_URL}/api/runs/${encodeURIComponent(runId)}/evidence-pack/download`, {
      headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    });
    if (!answer.ok) throw await problemOf(answer);
    return answer;
  });
  if (response.body === null) throw await problemOf(response);
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        onProgress(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  save(await new Response(counted).blob(), nameOf(response) ?? `evidence-${runId}.json`);
}

function nameOf(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by then and holds the blob itself.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
