import type { Client } from '@countersign/contract';
import { getMaxShownBytes, type EvidenceSource } from '../inbox/index.js';
import { saveFile } from '../ui/save-file.js';

/** Creates an evidence source that loads artifacts with the API client. */
export function createEvidenceSource(client: Client): EvidenceSource {
  return {
    load: async (runId, artifactName, version, signal) => {
      const { size, contentType, response, bytes } = await client.downloadArtifact(
        { runId, artifactName, version },
        { signal },
      );
      const maxBytes = getMaxShownBytes(contentType, artifactName);
      if (size !== undefined && size > maxBytes) {
        await (response.body as ReadableStream | null | undefined)?.cancel();
        return { kind: 'too-large' };
      }
      const content = new Uint8Array(await bytes());
      return content.byteLength > maxBytes ? { kind: 'too-large' } : { kind: 'bytes', contentType, bytes: content };
    },
    download: (runId, name, version) => void downloadArtifact(client, runId, name, version),
  };
}

async function downloadArtifact(client: Client, runId: string, artifactName: string, version: number): Promise<void> {
  const { bytes } = await client.downloadArtifact({ runId, artifactName, version });
  // Browsers save files of this content type instead of rendering them.
  saveFile(artifactName, new Blob([new Uint8Array(await bytes())], { type: 'application/octet-stream' }));
}
