import {
  ConnectionError,
  type ArtifactDownload,
  type FetchInit,
  type FetchLike,
  type FetchResponse,
} from '@countersign/contract';

/** Transferred fraction of a file, from 0 to 1; `undefined` if the size of the file is unknown. */
export type Progress = number | undefined;

/** Reads a download to its end and reports progress. */
export async function readDownload(
  { response, size }: ArtifactDownload,
  onProgress: (progress: Progress) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let receivedBytes = 0;
  for await (const chunk of readChunks(response.body)) {
    chunks.push(chunk);
    receivedBytes += chunk.length;
    onProgress(size === undefined || size === 0 ? undefined : Math.min(1, receivedBytes / size));
  }
  const content = new Uint8Array(receivedBytes);
  let offset = 0;
  for (const chunk of chunks) {
    content.set(chunk, offset);
    offset += chunk.length;
  }
  return content;
}

async function* readChunks(body: unknown): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (!(body instanceof ReadableStream)) return;
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  try {
    for (let next = await read(reader); !next.done; next = await read(reader)) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * @throws {ConnectionError} if the connection fails during the transfer; the original message depends on the browser
 */
function read<T>(reader: ReadableStreamDefaultReader<T>): Promise<ReadableStreamReadResult<T>> {
  return reader.read().catch((error: unknown) => {
    throw new ConnectionError(error);
  });
}

/** Returns a `fetch` function that reports upload progress, which the built-in `fetch` does not support. */
export function createUploadFetch(onProgress: (progress: Progress) => void): FetchLike {
  return (url, init) =>
    new Promise<FetchResponse>((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init.method, url);
      request.responseType = 'arraybuffer';
      for (const [name, value] of Object.entries(init.headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
        onProgress(lengthComputable && total > 0 ? loaded / total : undefined);
      request.onload = () => resolve(toFetchResponse(request));
      request.onerror = () => reject(new TypeError('The connection was interrupted.'));
      request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
      init.signal?.addEventListener('abort', () => request.abort(), { once: true });
      request.send(toRequestBody(init));
    });
}

function toRequestBody({ body }: FetchInit): XMLHttpRequestBodyInit | null {
  if (body instanceof ReadableStream) throw new TypeError('Upload progress is not available for streams.');
  return body ?? null;
}

function toFetchResponse(request: XMLHttpRequest): FetchResponse {
  const bytes = request.response as ArrayBuffer;
  return {
    status: request.status,
    headers: { get: (name) => request.getResponseHeader(name) },
    body: null,
    text: () => Promise.resolve(new TextDecoder().decode(bytes)),
    arrayBuffer: () => Promise.resolve(bytes),
  };
}
