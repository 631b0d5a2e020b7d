import type { Artifact } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { useQuery } from '@tanstack/react-query';
import { MAX_IMAGE_BYTES, MAX_TEXT_BYTES, detectPreview, isDeclaredImage, type Preview } from './detect-preview.js';
import { readDownload } from './transfer.js';

/** Preview of an artifact, from its first bytes or all of them. */
export interface LoadedPreview {
  readonly preview: Preview;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isComplete: boolean;
}

/** Downloads the part of an artifact that is shown. A version never changes, so a cached preview is never reloaded. */
export function useArtifactPreview(runId: string, artifact: Artifact | undefined) {
  const client = useClient();
  return useQuery<LoadedPreview>({
    queryKey: ['artifact-preview', runId, artifact?.name, artifact?.version],
    queryFn: async ({ signal }) => {
      if (artifact === undefined) throw new Error('No artifact is selected.');
      const { name, version, size, contentType } = artifact;
      const limit = isDeclaredImage(contentType) && size <= MAX_IMAGE_BYTES ? MAX_IMAGE_BYTES : MAX_TEXT_BYTES;
      const isComplete = size <= limit;
      const download = await client.downloadArtifact(
        { runId, artifactName: name, version, ...(isComplete ? {} : { range: { start: 0, end: limit - 1 } }) },
        { signal },
      );
      const bytes = await readDownload(download, () => undefined);
      return { preview: detectPreview(name, contentType, bytes, isComplete), bytes, isComplete };
    },
    enabled: artifact !== undefined,
    staleTime: 'static',
    // A preview can take up several megabytes.
    gcTime: 60_000,
    structuralSharing: false,
  });
}
